package import Foundation

/// The way from a folder to another, as a manifest or a command in the first names the second.
package func relativePath(from folder: URL, to other: URL) -> String {
  func parts(_ url: URL) -> [String] {
    url.standardizedFileURL.resolvingSymlinksInPath().pathComponents
  }
  let (from, to) = (parts(folder), parts(other))
  let shared = zip(from, to).prefix { $0 == $1 }.count
  let steps = Array(repeating: "..", count: from.count - shared) + to.dropFirst(shared)
  return steps.isEmpty ? "." : steps.joined(separator: "/")
}
