import DocumentModel
import Texts

extension Capabilities {
  /// Nothing at all.
  static let none = Capabilities(edits: [], objects: [], scalars: [], transports: [], features: [])

  /// Reads `{"edits":[...],"objects":[...],"scalars":[...],"transports":[...],"features":[...]}`; a
  /// member that is missing names nothing, and no other is taken.
  init(_ json: JSONValue) throws(AnswerError) {
    let members = ["edits", "objects", "scalars", "transports", "features"]
    try json.refuseMembers(except: members, of: "an object of capabilities")
    self.init(
      edits: try Self.names("edits", in: json),
      objects: try Self.names("objects", in: json),
      scalars: try Self.names("scalars", in: json),
      transports: try Self.names("transports", in: json),
      features: try Self.names("features", in: json)
    )
  }

  /// What is left when these are taken away.
  func subtracting(_ other: Capabilities) -> Capabilities {
    Capabilities(
      edits: edits.subtracting(other.edits),
      objects: objects.subtracting(other.objects),
      scalars: scalars.subtracting(other.scalars),
      transports: transports.subtracting(other.transports),
      features: features.subtracting(other.features)
    )
  }

  private static func names<Name: RawRepresentable & Hashable & CaseIterable>(
    _ member: String,
    in json: JSONValue
  ) throws(AnswerError) -> Set<Name> where Name.RawValue == String {
    guard let list = json[member] else { return [] }
    var names: Set<Name> = []
    for element in try list.array("an array of \(member)") {
      let word = try element.string("one of the \(member)")
      guard let name = Name(rawValue: word) else {
        throw AnswerError(
          expected: "one of the \(member)",
          found: quoted(word),
          guess: suggestion(for: word, among: Name.allCases.map(\.rawValue))
        )
      }
      names.insert(name)
    }
    return names
  }
}
