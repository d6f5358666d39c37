import DocumentModel
package import Foundation
package import Histories
package import Texts

/// The `adapter.json` of a folder: how a foreign subject is started, and what is known of it.
///
///     {
///       "id": "automerge",
///       "command": ["python", "adapter.py"],
///       "onRequest": "no",
///       "answerSeconds": 30,
///       "without": {"features": ["history"]},
///       "conditions": {"writes-empty-key": {"edit": {"key": ""}}},
///       "knownDivergences": [
///         {"law": "agreement.*", "condition": "writes-empty-key", "case": "cases/empty-key.case",
///          "reason": "Local writes of the empty key are refused."}
///       ]
///     }
package struct AdapterManifest: Sendable {
  package let id: String
  /// The words as written; ``command(packageRoot:path:)`` finds the program.
  package let commandWords: [String]
  /// What is taken away from the capabilities that the adapter states.
  let withheld: Capabilities
  package let knownDivergences: [AdapterDivergence]
  /// Conditions that have a name in this file: an object.
  private let conditions: JSONValue
  /// Whether it is judged only when the user names it: its library is a large or unusual one to
  /// install, or it is an example.
  package let isOnRequest: Bool
  /// Seconds that an answer may take, where the usual limit is too short.
  let answerSeconds: Int?
  package let folder: URL

  /// The name of the file in an adapter's folder.
  package static let fileName = "adapter.json"

  /// Bytes of an `adapter.json`.
  static let byteLimit = 1 << 20

  /// Reads the file in `folder`.
  ///
  /// - Throws: ``AdapterManifestError``.
  package init(folder: URL) throws(AdapterManifestError) {
    self.folder = folder
    let file = folder.appendingPathComponent(Self.fileName)
    if let absence = Self.absence(in: folder) {
      throw AdapterManifestError(file: file.relativePath, explanation: absence)
    }
    do {
      let handle = try FileHandle(forReadingFrom: file)
      defer { try? handle.close() }
      let data = try handle.read(upToCount: Self.byteLimit + 1) ?? Data()
      guard data.count <= Self.byteLimit else {
        throw AnswerError(expected: "at most \(Self.byteLimit) bytes", found: "more")
      }
      let json = try JSONValue(object: Array(data))
      try json.refuseMembers(
        except: [
          "id", "command", "onRequest", "answerSeconds", "without", "conditions",
          "knownDivergences",
        ],
        of: "an adapter"
      )
      id = try json.member("id", of: "an adapter").parsed("a short id", LineProtocol.shortID)
      commandWords = try json.member("command", of: "an adapter").strings("the words of a command")
      guard !commandWords.isEmpty else {
        throw AnswerError(expected: "the words of a command", found: "none")
      }
      withheld = try json["without"].map { try Capabilities($0) } ?? .none
      isOnRequest =
        try json["onRequest"]?.parsed("\"yes\" or \"no\"") { word in
          ["yes": true, "no": false][word]
        } ?? false
      answerSeconds = try json["answerSeconds"].map { number throws(AnswerError) in
        guard let seconds = number.integer, (1...3600).contains(seconds) else {
          throw AnswerError(
            expected: "seconds of an answer, 1 to 3600",
            found: number.text(.compact)
          )
        }
        return seconds
      }
      let named = json["conditions"] ?? .object([])
      guard named.isObject else {
        throw AnswerError(expected: "an object of conditions", found: named.kind)
      }
      conditions = named
      knownDivergences =
        try json["knownDivergences"]?.array("known divergences").enumerated()
        .map { index, json in
          try at("knownDivergences.\(index)") { () throws(AnswerError) in
            try AdapterDivergence(json, number: index, file: file, named: named)
          }
        } ?? []
    } catch let error as AnswerError {
      throw AdapterManifestError(file: file.relativePath, explanation: error.description)
    } catch {
      throw AdapterManifestError(file: file.relativePath, explanation: error.localizedDescription)
    }
  }

  /// Reads the conditions of the file, and those of its known divergences.
  ///
  /// - Throws: ``AdapterManifestError``: one cannot be read, or has a name that no divergence uses.
  package func checkConditions() throws(AdapterManifestError) {
    let file = folder.appendingPathComponent(Self.fileName).relativePath
    guard case .object(let members) = conditions else { return }
    for member in members {
      do {
        _ = try HistoryPredicate(member.value, at: ["conditions", member.key], named: nil)
      } catch {
        throw AdapterManifestError(file: file, explanation: "\(error)")
      }
    }
    for divergence in knownDivergences { _ = try divergence.predicate() }
    let unused = members.first { member in
      !knownDivergences.contains { $0.condition.mentions(member.key) }
    }
    guard let unused else { return }
    throw AdapterManifestError(
      file: file,
      explanation: "no known divergence uses conditions.\(unused.key): take it out"
    )
  }

  /// Why a folder is no adapter's; `nil` if it has the file.
  private static func absence(in folder: URL) -> String? {
    guard !FileManager.default.fileExists(atPath: folder.appendingPathComponent(fileName).path)
    else { return nil }
    if isClosed(folder) { return "its folder is a link that leads nowhere, or may not be opened" }
    let adapters = folders(in: folder).map(\.lastPathComponent)
    return adapters.isEmpty
      ? "there is no such file, which says how an adapter is started"
      : "there is no such file; name one of the adapters in the folder: "
        + adapters.prefix(12).joined(separator: ", ") + (adapters.count > 12 ? ", ..." : "")
  }

  /// The folders of adapters within a folder, ascending by name; an entry that cannot be looked into counts as one,
  /// so that using it fails with the reason.
  package static func folders(in folder: URL) -> [URL] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().map { folder.appendingPathComponent($0) }.filter {
      FileManager.default.fileExists(atPath: $0.appendingPathComponent(fileName).path)
        || isClosed($0)
    }
  }

  /// Whether what stands in a folder of adapters is a link that leads nowhere, or a folder that may not be searched.
  private static func isClosed(_ entry: URL) -> Bool {
    // Editors keep such links for files that they have open.
    guard !entry.lastPathComponent.hasPrefix(".") else { return false }
    let manager = FileManager.default
    guard manager.fileExists(atPath: entry.path) else {
      return (try? manager.destinationOfSymbolicLink(atPath: entry.path)) != nil
    }
    let isFolder = try? entry.resolvingSymlinksInPath()
      .resourceValues(forKeys: [.isDirectoryKey]).isDirectory
    return isFolder == true && !manager.isExecutableFile(atPath: entry.path)
  }
}

/// Something a foreign subject is known to do otherwise than a law says.
package struct AdapterDivergence: Hashable, Sendable {
  /// The names of the laws that it breaks, as a glob: `agreement.*`.
  package let law: String
  /// The condition on histories under which it shows, as it stands in the file.
  package let condition: JSONValue
  /// A sample which shows it, so that an entry that no longer holds is noticed.
  package let caseFile: URL
  /// Why it is as it is, and who is right.
  package let reason: String
  /// The position in the file's list.
  let number: Int
  private let file: URL
  /// The conditions that have a name in the file.
  private let named: JSONValue

  fileprivate init(
    _ json: JSONValue,
    number: Int,
    file: URL,
    named: JSONValue
  ) throws(AnswerError) {
    let due = "a known divergence"
    try json.refuseMembers(except: ["law", "condition", "case", "reason"], of: due)
    law = try json.member("law", of: due).string("a glob of laws")
    condition = try json.member("condition", of: due)
    let path = try json.member("case", of: due).string("the path of a case file")
    caseFile = file.deletingLastPathComponent().appendingPathComponent(path)
    reason = try json.member("reason", of: due).string("a reason")
    self.number = number
    self.file = file
    self.named = named
  }

  /// What ``condition`` says; an adapter can be started and checked even if that cannot be read.
  ///
  /// - Throws: ``AdapterManifestError`` with the file, and the members that lead to the mistake.
  package func predicate() throws(AdapterManifestError) -> HistoryPredicate {
    do {
      return try HistoryPredicate(condition, at: place("condition"), named: named)
    } catch {
      throw AdapterManifestError(file: file.relativePath, explanation: "\(error)")
    }
  }

  /// An error in a member of this entry; `explanation` is a clause.
  package func error(in member: String, _ explanation: String) -> AdapterManifestError {
    let place = place(member).joined(separator: ".")
    return AdapterManifestError(file: file.relativePath, explanation: "\(place): \(explanation)")
  }

  private func place(_ member: String) -> [String] { ["knownDivergences", "\(number)", member] }
}

extension JSONValue {
  /// Whether a string of this content is the value, or stands somewhere in it.
  fileprivate func mentions(_ word: String) -> Bool {
    switch self {
    case .string(let text): text == word
    case .array(let elements): elements.contains { $0.mentions(word) }
    case .object(let members): members.contains { $0.value.mentions(word) }
    default: false
    }
  }
}

extension AdapterManifest {
  /// Words with which options and scripts name several subjects, or begin the name of one: no adapter has them as id.
  package static let reservedIDs: Set<String> = ["all", "mutant", "usual"]

  /// Refuses a folder of another name than the id, as commands find an adapter by its folder, and workers by its id;
  /// and an id that is one of ``reservedIDs``.
  ///
  /// - Throws: ``AdapterManifestError``.
  package func requireItsFolder() throws(AdapterManifestError) {
    let name = folder.standardizedFileURL.lastPathComponent
    guard !Self.reservedIDs.contains(id) else {
      throw AdapterManifestError(
        file: folder.appendingPathComponent(Self.fileName).relativePath,
        explanation: "its id '\(id)' is a word of --subject: give it and its folder another name"
      )
    }
    guard name != id else { return }
    throw AdapterManifestError(
      file: folder.appendingPathComponent(Self.fileName).relativePath,
      explanation: "its id is '\(id)', and its folder is called '\(name)': give both one name"
    )
  }
}

/// Why an `adapter.json` cannot be used.
package struct AdapterManifestError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path of the file, relative if its folder's is: the same on every machine.
  package let file: String
  let explanation: String

  package var description: String { "\(file): \(VisibleText(scalarLimit: 600)(explanation))" }
}
