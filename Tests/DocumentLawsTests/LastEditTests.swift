import DocumentModel
import Histories
import Testing

@testable import DocumentLaws

@Suite("Last edits")
struct LastEditTests {
  @Test(
    "An edit is the last of its key if its replica knew all others, whichever replica made them",
    arguments: [
      // One writer.
      (#"r0 put root "k" int 1|r0 put root "k" int 2"#, #""k" int 2"#),
      (#"r0 put root "k" int 1|r0 delete root "k""#, #""k" nothing"#),
      // The other's edit was heard of, at once or by a message.
      (#"r0 put root "k" int 1|r0 -> r1 merge|r1 put root "k" int 2"#, #""k" int 2"#),
      (
        #"r0 put root "k" int 1|r0 -> r1 send m1 document|m1 deliver|r1 delete root "k""#,
        #""k" nothing"#
      ),
      // It was not, or may not have been.
      (#"r0 put root "k" int 1|r1 put root "k" int 2"#, ""),
      (#"r0 put root "k" int 1|r0 -> r1 changes|r1 put root "k" int 2"#, ""),
      (#"r0 put root "k" int 1|r0 -> r1 send m1 document|r1 put root "k" int 2"#, ""),
      // A later edit that knew less.
      (
        #"r0 put root "k" int 1|r0 -> r1 merge|r1 put root "k" int 2|r0 put root "k" int 3"#, ""
      ),
      // A crash or a rollback may have undone it.
      (#"r0 save s0|r0 put root "k" int 1|r0 restart s0 actor 2"#, ""),
      (#"r0 put root "k" int 1|r0 rollback"#, ""),
      // What is no single value.
      (#"r0 put root "k" new map as map1"#, ""),
      // Keys have each their own.
      (#"r0 put root "a" int 1|r1 put root "b" int 2"#, #""a" int 1, "b" int 2"#),
    ]
  )
  func last(steps: String, expected: String) throws {
    let lines = ["history 1", "base empty", "replicas 2", "healing merge"]
    let text = (lines + steps.split(separator: "|").map(String.init)).joined(separator: "\n")
    let found = LastEdits(try History(text: text)).edits.map { edit in
      "\(Slot.key(edit.key)) \(edit.value.map { "\($0)" } ?? "nothing")"
    }
    #expect(found.joined(separator: ", ") == expected)
  }
}
