import PropertyEngine
import Reporting

extension Report.Law {
  /// A report shows the source as text.
  init(name: String, sentence: String, source: LawSource) {
    self.init(name: name, sentence: sentence, source: source.description)
  }
}
