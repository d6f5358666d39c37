import Foundation
import TestSupport
import Testing

@Suite("Folders that cannot be read are no empty folders")
struct FolderOptionTests {
  private static let quick = ["--subject", "naive", "--law", "merge.*", "--cases", "2"]

  private func link(_ name: String, to goal: String, in folder: URL) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.appendingPathComponent(name).path,
      withDestinationPath: goal
    )
  }

  private func makeFolder(_ path: String, in folder: URL) throws -> URL {
    let made = folder.appendingPathComponent(path)
    try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
    return made
  }

  @Test("A link that leads nowhere, and a file, are refused in the place of a folder")
  func wrongKinds() throws {
    try withFolder { folder in
      try link("gone", to: "nowhere", in: folder)
      try Data().write(to: folder.appendingPathComponent("file"))
      for option in ["--corpus", "--adapters", "--report", "--history"] {
        for (path, words) in [
          ("gone", "is a link that leads nowhere."), ("file", "is a file, and"),
        ] {
          let outcome = try touchstone(["check"] + Self.quick + [option, path], in: folder)
          #expect(outcome.status == 64)
          #expect(
            outcome.complaints.contains("\(option): \(path) \(words)"),
            "\(outcome.complaints)"
          )
        }
      }
      // Where all commands look as well.
      try link("Adapters", to: "nowhere", in: folder)
      #expect(try touchstone(["check"] + Self.quick, in: folder).status == 64)
    }
  }

  @Test("The cases behind a link are tried; a corpus that is not there is made, and told to be new")
  func linkedCorpus() throws {
    try withFolder { folder in
      let corpus = try makeFolder("elsewhere", in: folder)
      try FileManager.default.copyItem(
        at: Program.root("corpus/histories/chain-of-waiting-changes.case"),
        to: corpus.appendingPathComponent("a.case")
      )
      try link("linked", to: "elsewhere", in: folder)
      let replay = try touchstone(["replay", "linked"], in: folder)
      #expect(replay.status == 0, "\(replay.complaints)")
      #expect(replay.output.contains("linked/a.case"))
      let check = ["check", "--subject", "naive", "--cases", "2", "--seed", "1", "--corpus"]
      let tried = try touchstone(check + ["linked"], in: folder)
      #expect(tried.complaintLines.contains("trying 1 stored case first"), "\(tried.complaints)")
      let missing = try touchstone(check + ["misspelt"], in: folder)
      #expect(missing.status == 0)
      #expect(
        missing.complaintLines.contains("the corpus misspelt is new: no stored case is tried")
      )
      #expect(
        FileManager.default.fileExists(atPath: folder.appendingPathComponent("misspelt").path)
      )
    }
  }

  @Test("An adapter whose folder is a link that leads nowhere is missed, not passed over")
  func lostAdapter() throws {
    try withFolder { folder in
      let adapters = try makeFolder("Adapters", in: folder)
      try link("mine", to: "../../gone", in: adapters)
      let outcome = try touchstone(["check", "--law", "merge.*", "--cases", "2"], in: folder)
      #expect(outcome.status == 2)
      #expect(outcome.complaints.contains("its folder is a link that leads nowhere"))
    }
  }

  /// Permissions do not stop root, who may do everything.
  @Test(
    "A folder that may not be read ends a command with 2 and the reason",
    .enabled(if: getuid() != 0)
  )
  func closed() throws {
    try withFolder { folder in
      let closed = try makeFolder("closed", in: folder)
      _ = try makeFolder("closed/in", in: folder)
      let manager = FileManager.default
      try manager.setAttributes([.posixPermissions: 0o000], ofItemAtPath: closed.path)
      defer { try? manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: closed.path) }
      let reason = ": permission denied\n"
      for path in ["closed", "closed/in"] {
        for option in ["--corpus", "--adapters"] {
          let outcome = try touchstone(["check"] + Self.quick + [option, path], in: folder)
          #expect(outcome.status == 2)
          #expect(
            outcome.complaints.hasSuffix("touchstone: cannot read the folder \(path)\(reason)"),
            "\(outcome.complaints)"
          )
        }
        #expect(try touchstone(["replay", path], in: folder).status == 2)
      }
      #expect(try touchstone(["check", "--help", "--corpus", "closed"], in: folder).status == 0)
    }
  }
}
