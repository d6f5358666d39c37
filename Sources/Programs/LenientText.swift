package import Foundation

#if os(Linux) || os(macOS)
/// The text of a file that others write, as far as it is text: a log, or a source.
///
/// One byte that is no UTF-8 is read as U+FFFD and hides nothing else. The text is empty if the
/// file cannot be read.
package func lenientText(of url: URL) -> String {
  (try? String(decoding: Data(contentsOf: url), as: UTF8.self)) ?? ""
}
#endif
