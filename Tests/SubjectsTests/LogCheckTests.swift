import AutomergeDocument
import Testing

@testable import Subjects

@Suite("What a document tells the log, checked from within its subject")
struct LogCheckTests {
  @Test("The check passes while observers come and go")
  func passes() throws {
    for number in 0..<60 { try Document.checkLog(number) }
  }
}
