import AutomergeDocument
import DocumentLaws
import Foundation
import MergeEngine
import PropertyEngine
import Texts

extension PublicCallLaw {
  static let viewLaws = [checkedReads]

  /// Catches a view that believes what it reads: `api.any-damaged-view` leaves open whether a view finds what is wrong,
  /// since it may not have to read it.
  ///
  ///     values     300, 300, 300       ac 02  ac 02  ac 02
  ///     flaw       the second one      ac 02  ac 80  ac 02      a number that does not end
  ///
  /// In a column all values of one kind may be checked at once: each of them is the wrong one now and then.
  private static let checkedReads = PublicCallLaw(
    "api.view-checks",
    "A view checks what it reads.",
    "Where one value of a saved list or text has bytes that its type does not admit, one operation has no number, one row "
      + "of a map no key, or one row of a list half of the list's id, a view refuses all values of the object, as a load "
      + "refuses the bytes. It refuses a saved document whose checksum is not that of its bytes.",
    source: .decision(49)
  ) { story in
    let count = 1 + story.index(below: 20)
    let place = story.index(below: count)
    let document = Document.written(by: 0xfd)
    var flaw: RowDamage.Flaw
    let object: ObjId
    switch story.index(below: 6) {
    case 0:
      story.note("a map of \(count) keys, and the last one is missing")
      object = .ROOT
      for number in 0..<count {
        try document.put(obj: .ROOT, key: "k\(number)", value: .Int(5))
      }
      flaw = .lastKeyGone
    case 1:
      story.note("a text of \(count) letters, where number \(place) is the byte 80")
      object = try document.putObject(obj: .ROOT, key: "text", ty: .Text)
      let letters = String(repeating: "a", count: count)
      try document.spliceText(obj: object, start: 0, delete: 0, value: letters)
      flaw = .valueByte(offset: place, 0x80)
    case let kind:
      object = try document.putObject(obj: .ROOT, key: "list", ty: .List)
      let (value, broken) = story.element(of: Self.valuesOfTwoBytes)
      try document.splice(
        obj: object,
        start: 0,
        delete: 0,
        values: Array(repeating: value, count: count)
      )
      if kind == 2 {
        // In front of the elements stands the row that made the list.
        flaw = .numberOfNone(row: place + 1)
        story.note(
          "a list of \(count) values, where the operation of number \(place) has no number"
        )
      } else {
        flaw = .valueByte(offset: 2 * place + 1, broken)
        story.note("a list of \(count) times \(value), where number \(place) ends in another byte")
      }
      if story.index(below: 4) == 3 {
        flaw = .objectWithoutActor(row: place + 1)
        story.note("instead: the row of number \(place) has no actor of its list")
      }
    }
    document.commitOnce()
    var file = document.reading { $0.save(compressed: false) }
    var unchecked = file
    guard RowDamage.put(flaw, intoOperationsOf: &file) else {
      throw PublicCallFault("a document is not saved as its format says")
    }
    let bytes = Data(file)
    var due: LoadError?
    do { _ = try Document(bytes) } catch let error as LoadError { due = error }
    guard let due else { throw PublicCallFault("a document with a flaw loads") }
    var found: LoadError?
    do {
      let view = try SavedDocumentView(bytes)
      _ = try view.values(obj: object)
    } catch let error as LoadError {
      found = error
    }
    try expect(
      found == due,
      "a view of a document with a flaw \(found.map { "is refused with \($0)" } ?? "answers"); due is \(due)"
    )
    // The checksum is behind the four bytes that each chunk begins with. All else is right.
    unchecked[4 + story.index(below: 4)] ^= 1
    var isRefused = false
    do {
      let view = try SavedDocumentView(Data(unchecked))
      _ = try view.values(obj: object)
    } catch is LoadError {
      isRefused = true
    }
    try expect(isRefused, "a view answers from a document with another checksum")
  }

  /// Values of two bytes each, and a byte that cannot be the second of them.
  private static let valuesOfTwoBytes: [(value: ScalarValue, broken: UInt8)] = [
    (.Int(300), 0x80), (.Uint(300), 0x80), (.Counter(300), 0x80),
    (.Timestamp(Date(timeIntervalSince1970: 1)), 0x80), (.String("\u{e9}"), 0xc0),
    (.String("\u{e9}"), 0x41),
  ]
}
