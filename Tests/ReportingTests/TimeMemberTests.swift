import Foundation
import PastRuns
import TestSupport
import Testing
import Texts

@testable import Reporting

@Suite("Numbers of a report that are no counts")
struct TimeMemberTests {
  /// One number of a document.
  private struct Place {
    /// The members that lead to it, outermost first.
    let path: [String]
    /// The document with another number there.
    let edited: (JSONValue) -> JSONValue
  }

  /// Every number of a document; of those that the same members lead to, the first.
  private static func numbers(in value: JSONValue) -> [Place] {
    var seen: Set<[String]> = []
    var places: [Place] = []
    func visit(_ value: JSONValue, _ path: [String], _ rebuild: @escaping (JSONValue) -> JSONValue)
    {
      switch value {
      case .array(let elements):
        for (index, element) in elements.enumerated() {
          visit(element, path) { edited in
            var copy = elements
            copy[index] = edited
            return rebuild(.array(copy))
          }
        }
      case .object(let members):
        for (index, member) in members.enumerated() {
          visit(member.value, path + [member.key]) { edited in
            var copy = Array(members)
            copy[index] = JSONValue.Member(member.key, edited)
            return rebuild(.object(copy))
          }
        }
      case .int, .uint, .double, .decimal:
        if seen.insert(path).inserted { places.append(Place(path: path, edited: rebuild)) }
      case .null, .boolean, .string: break
      }
    }
    visit(value, []) { $0 }
    return places
  }

  /// Checks that exactly those numbers may be fractions that the list names, or a member that it names holds.
  ///
  /// - Returns: The names of the list that occur.
  private func check<Value: Codable>(_ value: Value) throws -> Set<String> {
    var found: Set<String> = []
    for place in Self.numbers(in: try JSONValue(data: JSONEncoder().encode(value))) {
      let data = Data(place.edited(.double(0.5)).text(.compact).utf8)
      let mayBeFraction = (try? JSONDecoder().decode(Value.self, from: data)) != nil
      let names = Report.timeMembers.intersection(place.path)
      #expect(mayBeFraction == !names.isEmpty, "\(place.path)")
      found.formUnion(names)
    }
    return found
  }

  @Test("The list names each member of a report that holds fractions, and no other")
  func report() throws {
    #expect(try check(SchemaTests.whole) == Report.timeMembers)
  }

  @Test("The same goes for the runs beside it")
  func earlierRuns() throws {
    let report = SampleReports.failing
    let earlier = try #require(
      EarlierRuns(chosen: [PastRun(report, commit: nil)], before: report)
    )
    #expect(try check(earlier) == ["seconds"])
  }
}
