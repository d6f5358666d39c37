import Foundation
import ReferenceAutomerge

struct Note: Codable {
  var title: String
  var body: AutomergeText
  var created: Date
  var isDone: Bool
}
