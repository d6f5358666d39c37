import Foundation

/// Blocks of the lists of `Mutation/` whose line is no longer in the file that they name.
///
///     file: Sources/RecordServer/RecordServer.swift
///     operator: arithmetic
///     line: public mutating func expireTokens() { epoch += 1 }
///
/// The tests of the package `Mutation/` ask more of equivalent mutants, whether the operator still makes that
/// change; but they build swift-syntax, and so do not run with these.
func stalePlaces(in repository: Repository) throws -> [Breach] {
  try ["Mutation/equivalent.txt", "Mutation/never-entered.txt"].flatMap {
    try stalePlaces(list: $0, in: repository)
  }
}

private func stalePlaces(list: String, in repository: Repository) throws -> [Breach] {
  guard repository.paths.contains(list) else { return [] }
  var lines: [String: Set<String>] = [:]
  var file: String?
  var breaches: [Breach] = []
  for (index, text) in try repository.text(at: list).split(
    separator: "\n",
    omittingEmptySubsequences: false
  ).enumerated() {
    if text.hasPrefix("file: ") {
      let path = String(text.dropFirst("file: ".count))
      // Any file.
      file = path == "*" ? nil : path
      if file == nil { continue }
      guard repository.paths.contains(path) else {
        breaches.append(Breach(list, line: index + 1, "there is no \(path)"))
        continue
      }
      if lines[path] == nil {
        lines[path] = Set(
          try repository.text(at: path).split(separator: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
          }
        )
      }
    } else if text.hasPrefix("line: "), let file, let known = lines[file] {
      let line = text.dropFirst("line: ".count).trimmingCharacters(in: .whitespaces)
      if !known.contains(line) {
        breaches.append(Breach(list, line: index + 1, "\(file) has no line `\(line)`"))
      }
    }
  }
  return breaches
}
