import AutomergeDocument
import ForeignSubjects
import Foundation
import FuzzEntryPoints
import Histories
import LocalStore
import MergeEngine
import PropertyEngine
import Reporting
import Testing
import Texts

/// A boundary whose reader is wrong in one way, and how many inputs may pass before it is found.
struct Defect: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let boundary: Boundary

  init(_ words: String, _ boundary: Boundary) {
    testDescription = "\(boundary.id): \(words)"
    self.boundary = boundary
  }

  /// One or more for each boundary with a reader of its own.
  static let all: [Defect] = [
    Defect(
      "a view shows one of the values in conflict",
      .view(showing: { object, view in
        var shown = try ShownObject(object, in: view)
        shown.places = shown.places.map { Array($0.suffix(1)) }
        return shown
      })
    ),
    Defect(
      "a refused change leaves a value behind",
      .changes(applying: { document, bytes in
        do { try document.applyChanges([bytes]) } catch {
          try? document.put(.root, .key("refused"), .null)
          document.commit(time: 9)
          throw error
        }
      })
    ),
    Defect(
      "what is loaded takes the place of the document",
      .incremental(loading: { document, bytes in
        let loaded = try MergeDocument(loading: bytes, actor: ActorID([1]))
        document.restore(loaded)
      })
    ),
    Defect(
      "columns are refused with an error without a type",
      .columns(applying: { document, bytes in
        do { try document.applyChanges([bytes]) } catch { throw Untyped() }
      })
    ),
    Defect(
      "a refused message changes the sync state",
      .sync(receiving: { document, bytes, state in
        do { try document.receive(syncMessage: bytes, &state) } catch {
          state.reset()
          throw error
        }
      })
    ),
    Defect(
      "a stored state is read without what both sides have",
      .sync(restoring: { bytes in
        _ = try PeerState(bytes: bytes)
        var state = PeerState()
        // As if it were known once, and not when it is read again.
        if bytes.count > 2 { state.reset() }
        return state
      })
    ),
    Defect(
      "a cursor's counter may be spelled with zeros",
      .ids(readingCursor: { text in
        Cursor(text: text) ?? Cursor(text: text.replacing(/(^|-)0+/) { "\($0.output.1)" })
      })
    ),
    Defect(
      "a path is read from its end",
      .paths(parsing: { path in
        Array(try AnyCodingKey.parsePath(path).reversed())
      })
    ),
    Defect(
      "a history of many steps loses its last one",
      .historyText(reading: { text in
        var history = try History(text: text)
        if history.steps.count > 4 { history.steps.removeLast() }
        return history
      })
    ),
    Defect(
      "a case is read without its last choice",
      .caseFiles(reading: { bytes in
        let file = try CaseFile.parse(utf8: bytes)
        guard file.choices.count > 1 else { return file }
        return CaseFile(
          law: file.law,
          subjects: file.subjects,
          kind: file.kind ?? "",
          seed: file.seed,
          choices: file.choices.dropLast(),
          sampleFormat: file.sampleFormat,
          sample: file.sample
        )
      })
    ),
    Defect(
      "a report has a case more",
      .reportMerge(reading: { data in
        var report = try JSONDecoder().decode(Report.self, from: data)
        report.run.cases = 1 &+ report.run.cases
        return report
      })
    ),
    Defect(
      "large numbers are read with a wrong digit",
      .json(reading: { bytes in
        let value = try JSONValue(parsing: bytes)
        guard case .array(let elements) = value else { return value }
        return .array(
          elements.map { element in
            guard case .int(let number) = element, number > 1 << 53 else { return element }
            return .int(number &- 1)
          }
        )
      })
    ),
    Defect(
      "an answer to another program is taken",
      .adapter(reading: { line, number, count in
        for shorter in [count, count - 1, count + 1] {
          if let found = try? LineProtocol.transcript(line, number: number, count: shorter) {
            return found
          }
        }
        return try LineProtocol.transcript(line, number: number, count: count)
      })
    ),
    Defect(
      "opening a store takes an item away",
      .store(opening: { files, options in
        let place = try StorePlace(directory: "/stores", filename: "items.json")
        let store = try StoreEngine.open(place, options, on: files)
        if store.health == .ok, let first = Array(store.table.entries).first {
          _ = try store.commit([[StoreOperation(.delete, first.id)]], .data)
        }
        return store
      })
    ),
    Defect(
      "elements of a JSON file behind the first are lost",
      .store(opening: { files, options in
        let place = try StorePlace(directory: "/stores", filename: "items.json")
        return try StoreEngine.open(place, options, on: files) { bytes throws(StoreError) in
          var contents = try SeedFile.read(bytes, file: "items.json", .keepLast) { _ in nil }
          if contents.items.count > 1 { contents.items.removeLast() }
          return contents
        }
      })
    ),
    Defect(
      "a history that deletes is judged wrongly",
      .replay(judging: { group, sample in
        guard sample.text.contains(" delete ") else { return try group.judge(sample) }
        let wrong = Verdict.violated(Difference(kind: "wrong", summary: "not so"))
        return JudgedCase([(group.laws[0].name, Judgement(wrong))])
      })
    ),
  ]
}

private struct Untyped: Error {}

@Suite("Boundaries with readers that are wrong")
struct BoundaryDefectTests {
  @Test("A wrong reader is found within a few hundred inputs", arguments: Defect.all)
  func finds(_ defect: Defect) throws {
    let target = FuzzTarget(defect.boundary)
    let subject = try target.subject()
    let run = DerivedRun(subject, seed: Seed(value: 2))
    var found: FuzzInput?
    for index in 0..<600 where found == nil {
      let input = FuzzInput(bytes: run.bytes(index), on: subject)
      if input.finding != nil { found = input }
    }
    let input = try #require(found)
    let finding = try #require(input.finding)
    let text = input.explanation(of: finding, file: "x.bin")
    #expect(text.contains("violated: boundary.\(defect.boundary.id) on \(target.usualSubject)"))
    #expect(text.contains("replay --target \(defect.boundary.id) "))
    let (small, smallFinding) = input.smallest(showing: finding, stepLimit: 400)
    #expect(small.bytes.count <= input.bytes.count)
    #expect(smallFinding.isSameFailure(as: finding))
    #expect(FuzzInput(bytes: small.bytes, on: subject).finding?.isSameFailure(as: finding) == true)
    // The same bytes break nothing where the reader is right.
    let right = try #require(FuzzTarget(id: defect.boundary.id))
    for bytes in [input.bytes, small.bytes] {
      #expect(try right.judge(bytes).finding == nil)
    }
  }

  @Test("A failing input loses what does not make it fail")
  func shrinks() throws {
    let wrong = try #require(Defect.all.first { $0.boundary.id == "historytext" }).boundary
    let subject = try FuzzTarget(wrong).subject()
    let run = DerivedRun(subject, seed: Seed(value: 2))
    let found = (0..<600).lazy.map { FuzzInput(bytes: run.bytes($0), on: subject) }
      .first { $0.finding != nil }
    let input = try #require(found)
    let small = input.smallest(showing: try #require(input.finding)).input
    #expect(small.bytes.count < input.bytes.count)
  }

  @Test("Each boundary with a law of its own has a reader that is wrong")
  func complete() {
    let known = Set(Defect.all.map(\.boundary.id))
    let missing = Boundary.all.map(\.id).filter { !known.contains($0) }
    // Whose laws are proved by mutants of stored bytes.
    #expect(missing == ["load"])
  }
}
