import Foundation
import FuzzSessions
import PropertyEngine
import TestSupport
import Testing

@Suite("What a command asks and tests answer")
struct FuzzRequestTests {
  @Test("A request comes back from the file that the environment names")
  func returns() throws {
    try withFolder { folder in
      var request = FuzzRequest(mode: .judge, answersPath: folder.path + "/answers")
      request.stage = "NoteTests.noteIsSafe()/Note/document-coder/model"
      request.literals = Literals(words: ["JPY", "\n", "é"], numbers: [-1])
      request.known = [FailureKey(law: "a.b", isError: true, kind: "trap")]
      let file = folder.appendingPathComponent("request.json")
      try request.write(to: file)
      #expect(try FuzzRequest(environment: [FuzzRequest.variable: file.path]) == request)
      #expect(try FuzzRequest(environment: [:]) == nil)
      #expect(try FuzzRequest(environment: [FuzzRequest.variable: ""]) == nil)
      #expect(throws: (any Error).self) {
        try FuzzRequest(environment: [FuzzRequest.variable: folder.path + "/none"])
      }
    }
  }

  @Test("Answers are whole lines: what a dying process began is none")
  func answers() throws {
    try withFolder { folder in
      let request = FuzzRequest(mode: .list, answersPath: folder.path + "/answers")
      #expect(request.answers.isEmpty)
      let stage = FuzzStage(id: "a/b", test: "T.a()", model: "b", laws: ["x.y"])
      try request.answer(.stage(stage))
      try request.answer(.judged)
      let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: request.answersPath))
      try handle.seekToEnd()
      // It ends within a letter of two bytes.
      try handle.write(contentsOf: Data(Array("{\"stage\":{\"".utf8) + [0xC3]))
      try handle.close()
      #expect(request.answers == [.stage(stage), .judged])
    }
  }
}
