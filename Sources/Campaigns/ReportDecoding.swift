import CaseFiles
import CodingSupport
import Foundation
import Reporting
import Texts

/// Decodes what a report's folder holds as JSON; each count in it is one.
///
/// `words`: What an error says first, such as `report.json is not a report`.
///
/// - Throws: ``FileFailure``, with the place in the JSON.
func decoded<Value: Codable>(
  _ type: Value.Type,
  from data: Data,
  orElse words: String
) throws -> Value {
  do {
    let value = try JSONDecoder().decode(type, from: data)
    // Of the members that this version knows alone: later ones may hold numbers of other kinds.
    let known = try JSONValue(parsing: Array(ReportFolder.encoded(value)))
    if let flaw = known.flaw() { throw FileFailure(words, reason: flaw.words) }
    return value
  } catch let error as DecodingError {
    throw FileFailure(words, reason: reason(of: error, in: data))
  }
}

/// What was wrong, and where, without the words of a debugger.
private func reason(of error: DecodingError, in data: Data) -> String {
  guard let failure = CodingFailure(error) else { return "it is of another shape" }
  let path = failure.codingPath.map { PathKey(spelled: $0) }
  let place = path.isEmpty ? "it" : path.swiftly
  switch failure.kind {
  case .keyNotFound:
    return "\(place) has no \(failure.missingKey?.stringValue ?? ""). If another version of "
      + "touchstone wrote it, read it with that version, or run again"
  case .typeMismatch, .valueNotFound: return "\(place) is of another kind"
  case .dataCorrupted, .invalidValue:
    // Of a number that is no whole one the decoder says what it says of a text that is no JSON, without the place.
    do {
      let flaw = try JSONValue(parsing: Array(data)).flaw()
      if let flaw, path.isEmpty || flaw.path == path { return flaw.words }
    } catch {
      if path.isEmpty { return "\(error)" }
    }
    return "\(place) is damaged, or of a later version"
  }
}

extension JSONValue {
  /// Which number is no count, and why; `nil` if each is one or a time.
  fileprivate func flaw(at path: [PathKey] = []) -> (path: [PathKey], words: String)? {
    switch self {
    case .object(let members):
      return members.lazy.compactMap { member in
        Report.timeMembers.contains(member.key)
          ? nil : member.value.flaw(at: path + [.key(member.key)])
      }.first
    case .array(let elements):
      return elements.enumerated().lazy.compactMap { $1.flaw(at: path + [.index($0)]) }.first
    case .int, .uint, .double, .decimal:
      if let whole = integer ?? number.flatMap({ Int(exactly: $0) }), whole >= 0 { return nil }
      let words =
        "\(path.swiftly) is \(text(.compact)), and a count is a whole number from 0 to 2^63 - 1"
      return (path, words)
    case .null, .boolean, .string: return nil
    }
  }
}
