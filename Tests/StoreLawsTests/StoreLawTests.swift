import FaultInjection
import FileSystems
import Foundation
import PropertyEngine
import Schedules
import StoreSubjects
import TestSupport
import Testing

@testable import StoreLaws

@Suite("Laws of stores")
struct StoreLawTests {
  @Test("Our store keeps every law", arguments: StoreLaw.all.map(\.name))
  func keeps(_ name: String) throws {
    let law = try #require(StoreLaw.all.first { $0.name == name })
    let outcome = try checkLaw(law.lowered(on: LocalStoreSubject()), seed: 1, cases: 40)
    #expect(outcome.failure == nil, "\(outcome)")
    #expect(outcome.heldCount + outcome.skippedCount == 40)
    #expect(outcome.heldCount > 0, "no sample asks the law anything")
  }

  @Test("The specification of stores keeps every law", arguments: StoreLaw.all.map(\.name))
  func specificationKeeps(_ name: String) throws {
    let law = try #require(StoreLaw.all.first { $0.name == name })
    let outcome = try checkLaw(law.lowered(on: NaiveStoreSubject()), seed: 2, cases: 30)
    #expect(outcome.failure == nil, "\(outcome)")
  }

  @Test("What replaces an item is told with that item's version")
  func toldVersions() {
    var versions = ToldVersions([StoreRow("c", "")])
    func kind(_ number: UInt64, _ id: String, replaces version: UInt64?) -> String? {
      versions.take(number, [(StoreRow(id, ""), version)], deleting: [])?.kind
    }
    #expect(kind(2, "a", replaces: nil) == nil)
    // Of c it is known that it was there, and not since when.
    #expect(kind(3, "c", replaces: 1) == nil)
    #expect(kind(4, "a", replaces: 3) == "news.version")
    #expect(kind(5, "a", replaces: 4) == nil)
    #expect(versions.take(6, [], deleting: ["a"]) == nil)
    #expect(kind(7, "a", replaces: 5) == "news.version")
  }

  @Test("Each defect is caught by its law alone", arguments: StoreDefect.allCases)
  func caught(_ defect: StoreDefect) throws {
    let law = try #require(StoreLaw.all.first { $0.name == defect.law })
    let outcome = try checkLaw(
      law.lowered(on: defect.subject),
      seed: 1,
      cases: 1000,
      shrinkLimit: 50
    )
    #expect(outcome.failure != nil, "\(defect.rawValue) lives")
  }

  @Test(
    "A name, a title of at most eight words, a sentence",
    arguments: StoreLaw.all.map(\.statement)
  )
  func wording(_ statement: LawStatement) {
    #expect(lawNameProblem(statement.name) == nil)
    let words = statement.title.split(separator: " ")
    #expect(words.count <= LawStatement.titleWordLimit, "\(statement.title)")
    #expect(statement.sentence != statement.title)
  }

  @Test("A sample of a crash after refusals refuses a call if it makes one", arguments: 0..<100)
  func refusesSome(_ stream: Int) throws {
    let subject = LocalStoreSubject()
    var choices = Choices(seed: Seed(11).stream(UInt64(stream)))
    let sample = try StoreLaw.afterRefusal.lowered(on: subject).draw(&choices)
    let schedule = Schedule(sample.numbers)
    let trial = StoreTrial(subject, sample, schedule)
    let run = try schedule.run { try await RefusedRun.refusing(trial) }
    #expect(run.refusedCount > 0 || run.callCount == 0, "\(sample.text)")
  }

  @Test("A sample's text reads back as the sample", arguments: 0..<200)
  func text(_ stream: Int) throws {
    let law = StoreLaw.all[stream % StoreLaw.all.count]
    var choices = Choices(seed: Seed(7).stream(UInt64(stream)))
    let sample = try law.lowered(on: LocalStoreSubject()).draw(&choices)
    #expect(try StoreSample(text: sample.text) == sample)
  }

  @Test("Samples are counted by kinds and traits that reports list, and every kind is met")
  func coverage() throws {
    var coverage = Coverage()
    for law in StoreLaw.all {
      let law = law.lowered(on: LocalStoreSubject())
      for index in 0..<50 {
        var choices = Choices(seed: Seed(9).stream(UInt64(index)))
        law.form.count(try law.draw(&choices), &coverage)
      }
    }
    let tally = try #require(coverage.values[StoreCoverage.samples])
    for kind in StoreCoverage.kinds {
      #expect(!tally.uses(of: kind.name).isEmpty, "\(kind.name)")
      let found = tally.traits(of: kind.name).entries.map(\.name)
      #expect(Set(found).isSubset(of: kind.traits), "\(kind.name)")
    }
  }

  @Test("A run counts its steps by its level, and of what goes wrong what its law carries out")
  func runCoverage() throws {
    let text = "level full\nchange a=3 b=120 -c\nflush\ncrash 7 ordered 2 0\ndamage 1 flip 12\n"
    let sample = try StoreSample(text: text)
    var coverage = Coverage()
    let law = try #require(StoreLaw.all.first { $0.name == "crash.acknowledged-stays" })
    law.lowered(on: LocalStoreSubject()).form.count(sample, &coverage)
    let tally = try #require(coverage.values[StoreCoverage.samples])
    #expect(tally.uses(of: "change")["full"] == 1 && tally.uses(of: "flush")["full"] == 1)
    #expect(tally.traits(of: "change")["of 2 to 9"] == 1)
    #expect(tally.traits(of: "change")["deletes"] == 1)
    #expect(tally.traits(of: "text")["1 to 9 bytes"] == 1)
    #expect(tally.traits(of: "text")["100 to 999 bytes"] == 1)
    #expect(tally.traits(of: "crash")["ordered"] == 1)
    #expect(tally.traits(of: "crash")["loses nothing"] == 0)
    #expect(tally.uses(of: "damage").isEmpty && tally.uses(of: "refusal").isEmpty)
  }

  @Test("A forged byte may stand anywhere, in a file of even or odd size", arguments: [1000, 1001])
  func forgedPlaces(size: Int) {
    // No four of them are a length that the file could have.
    let original = [UInt8](repeating: 255, count: size)
    for parity in 0...1 {
      var places: Set<Int> = []
      for high in 0..<8 {
        for low in stride(from: parity, through: 255, by: 2) {
          var bytes = original
          StoreLaw.forge(&bytes, by: [high, low, 0])
          places.formUnion(bytes.indices.filter { bytes[$0] != original[$0] })
        }
      }
      #expect(places.count == size)
    }
  }

  /// A file of `corpus/store`, byte by byte in `Frame` and in the scans of the store.
  private func stored(_ name: String) throws -> [UInt8] {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return try Array(Data(contentsOf: root.appendingPathComponent("corpus/store/\(name)")))
  }

  @Test("Lengths and counts are known in each frame of a store's files, by their kind")
  func lengths() throws {
    let subject = LocalStoreSubject()
    let snapshot = try stored("snapshot.bin")
    #expect(
      subject.lengths(in: snapshot) == [
        12..<16, 56..<64, 64..<72, 72..<80, 80..<88, 108..<112, 140..<144, 144..<148, 180..<184,
        212..<216, 216..<220, 268..<272, 296..<304,
      ]
    )
    // A header with five, five changes of one operation, and one of two.
    #expect(subject.lengths(in: try stored("journal.bin")).count == 5 + 5 * 3 + 5)
    #expect(subject.lengths(in: Array("[]".utf8)) == [])
    #expect(subject.resealed(snapshot) == snapshot)
  }

  @Test("A forged length is one wrong number, and nothing else is changed but checksums")
  func forgedLengths() throws {
    let subject = LocalStoreSubject()
    let snapshot = try stored("snapshot.bin")
    for place in subject.lengths(in: snapshot) {
      func number(_ bytes: [UInt8]) -> UInt64 {
        place.reversed().reduce(0) { $0 << 8 | UInt64(bytes[$1]) }
      }
      var numbers: Set<UInt64> = []
      for index in 0..<30 {
        var bytes = snapshot
        StoreLaw.forge(&bytes, lengthAt: place, by: index)
        #expect(bytes != snapshot)
        #expect(bytes.indices.allSatisfy { place.contains($0) || bytes[$0] == snapshot[$0] })
        #expect(number(subject.resealed(bytes)) == number(bytes))
        numbers.insert(number(bytes))
      }
      let old = number(snapshot)
      let rest = UInt64(snapshot.count - place.upperBound)
      let greatest: UInt64 = place.count == 4 ? 0xffff_ffff : .max
      let due: Set = [0, 1, old &+ 1, rest, rest + 1, 304, 305, greatest]
      #expect(numbers.isSuperset(of: due.subtracting([old])), "\(place)")
    }
  }

  @Test(
    "A malformed line is refused with its number",
    arguments: [
      "level data\nlevel deep", "change a=x", "crash 1", "damage 0 melt 3", "numbers -1",
      // A word too many.
      "level data junk", "level data\nflush junk", "compact 1", "reopen reopen", "restart -a",
      "refuse 0 1 0 0", "crash 7 ordered 2 0 junk", "damage 1 flip 12 3", "numbers 4 x",
      "change a==1", "change a=1=", "change a=1 junk",
      // No byte.
      "damage 0 replace 1 256", "damage 0 append 1 256",
      // Lines without a word count, as in an editor.
      "level data\n\n\nflush\n\njunk", "\n\nflush\r", "flush\n ",
    ]
  )
  func refusal(_ text: String) {
    let error = #expect(throws: UnreadableLine.self) { try StoreSample(text: text) }
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(error?.line == lines.count)
  }

  @Test("A sample says of faults what its law asks for, and nothing of others")
  func faultLines() throws {
    for law in StoreLaw.all {
      for index in 0..<8 as Range<UInt64> {
        var choices = Choices(seed: Seed(value: 6).stream(index))
        let sample = StoreSample.drawn(law.shape, &choices)
        let heads = Set(sample.lines.map { $0.prefix { $0 != " " } })
        #expect(heads.contains("crash") == law.shape.hasCrash, "\(law.name)")
        #expect(heads.contains("again") == law.shape.hasSecondCrash, "\(law.name)")
        #expect(heads.contains("refuse") == law.shape.hasRefusal, "\(law.name)")
        #expect(heads.contains("damage") == law.shape.hasDamage, "\(law.name)")
        #expect(heads.contains("numbers") == (law.shape.numberCount > 0), "\(law.name)")
        #expect(try StoreSample(text: sample.text) == sample)
      }
    }
  }

  @Test("Lines without a word stand between the lines of a sample")
  func emptyLines() throws {
    let text = "\nlevel data\n\n\nflush\n\n"
    #expect(try StoreSample(text: text) == StoreSample(text: "level data\nflush\n"))
  }

  @Test("A sample with a number that its law never draws is not carried out")
  func unboundedNumber() throws {
    let law = try #require(StoreLaw.all.first { $0.name == "store.cost-amortised" })
    let sample = try StoreSample(text: "level data\nnumbers 4294967295")
    let verdict = law.verdict(on: sample, LocalStoreSubject())
    #expect(verdict == .errored("the sample's number 4294967295 is more than 255, the law's limit"))
  }

  @Test("A sample that refuses calls for ever is not carried out", arguments: StoreLaw.all)
  func unboundedRefusals(law: StoreLaw) throws {
    let sample = try StoreSample(text: "level data\nrefuse 0 4294967295 7")
    let verdict = law.verdict(on: sample, LocalStoreSubject())
    #expect(
      verdict == .errored("the sample refuses 4294967295 calls, and 1000 is the limit"),
      "\(law.name)"
    )
  }

  @Test(
    "A sample that asks a law nothing is skipped with the reason",
    arguments: [
      (
        "damage.noticed", "change a=1\ndamage 0 swap 0 0 8\nnumbers 0",
        "the damage changes no byte"
      ),
      (
        "damage.rest-served", "change a=1\ndamage 0 cut 3\nnumbers 0",
        "the damage is of several bytes"
      ),
      ("fault.changes-nothing", "refuse 0 1 0", "no call was refused"),
      ("fault.explained", "refuse 0 1 0", "the store refused no step"),
      ("fault.space-returns", "change a=1\nchange b=2\nnumbers 4000", "the disk was never full"),
      ("crash.after-refusal", "crash 0 process 0\nrefuse 0 1 0", "no call was refused"),
    ]
  )
  func asksNothing(_ name: String, _ lines: String, _ reason: String) throws {
    let law = try #require(StoreLaw.all.first { $0.name == name })
    let sample = try StoreSample(text: "level data\n\(lines)\n")
    #expect(law.verdict(on: sample, LocalStoreSubject()) == .skipped(reason))
  }

  /// Our store, which starts from nothing if it is opened for reading alone.
  private struct ReadsNothing: StoreSubject {
    private let base = LocalStoreSubject()
    var id: String { base.id }
    var version: String { base.version }
    var features: Set<StoreFeature> { base.features }
    var defaultDirectory: String? { base.defaultDirectory }

    func open(
      _ settings: StoreSettings,
      on files: any FileSystem,
      _ schedule: Schedule
    ) throws -> any OpenedStore {
      let isReading = settings.onDamage == .readOnly
      let disk = isReading ? MemoryFiles(StoreTrial.emptyDisk) : files
      return try base.open(settings, on: disk, schedule)
    }
  }

  @Test("A store that refuses damage by default must report it when it is opened for reading")
  func untoldDamage() throws {
    let law = try #require(StoreLaw.all.first { $0.name == "damage.read-only" })
    let outcome = try checkLaw(law.lowered(on: ReadsNothing()), seed: 1, cases: 40)
    guard case .violated(let found)? = outcome.failure?.verdict else {
      Issue.record("\(outcome)")
      return
    }
    #expect(found.kind == "read-only.untold")
  }

  @Test("Rows are printed whole, with longer runs of a letter counted")
  func rowTexts() {
    let rows = [
      StoreRow("caller-0", "text"), StoreRow("b", StoreSample.text(994)), StoreRow("c", "xx"),
      StoreRow("d", StoreSample.text(10) + "#"), StoreRow("e", ""),
    ]
    #expect(rowsText(rows) == "[caller-0=text b=994 x*1584 c=xx d=10 x*16 # e=]")
  }

  @Test(
    "What survives which crash is one rule",
    arguments: [
      (StoreLevel.memory, [CrashModel]()), (.process, [.process]), (.data, CrashModel.allCases),
      (.full, CrashModel.allCases),
    ]
  )
  func covers(_ level: StoreLevel, _ crashes: [CrashModel]) {
    #expect(CrashModel.allCases.filter(level.covers) == crashes)
  }

  @Test("A crash point shrinks to one change and no lost part but those needed")
  func shrinks() throws {
    let law = try #require(StoreLaw.all.first { $0.name == "crash.acknowledged-stays" })
    let outcome = try checkLaw(
      law.lowered(on: StoreDefect.noFolderSync.subject),
      seed: 1,
      cases: 500
    )
    let sample = try #require(outcome.failure?.sample)
    #expect(sample.steps.count == 1)
    #expect(sample.loss.lost.count <= 1)
  }
}
