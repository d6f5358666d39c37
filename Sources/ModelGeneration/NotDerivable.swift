import Texts

/// Why no values of a type can be made from the type alone, and what to give instead.
package struct NotDerivable: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Reason: Hashable, Sendable {
    /// Every value of the type contains another one of it.
    case noFiniteValue
    /// An enumeration decodes by keys whose cases cannot be listed safely; the keys' own name.
    case unknownCases(keys: String)
    /// `init(from:)` threw for everything that was tried.
    case refused(attempts: Int, last: String, asked: [String], asksForAnyKey: Bool)
    /// Words were given for a name that nothing asks for; names that something asks for.
    case unaskedWords(name: String, asked: [String])
  }

  /// The type, as Swift prints it.
  package let type: String
  /// Where the type stands below the one that was to be derived.
  package let path: SchemaSlot
  package let reason: Reason

  package var description: String {
    let place = path.isEmpty ? "" : " (at \(path.name))"
    switch reason {
    case .noFiniteValue:
      return """
        Cannot derive `\(type)`\(place): every value of `\(type)` contains a `\(type)`, so that there is \
        no finite one. Make the inner one optional, or give a generator (`generators: [.value(\(type).self) { … }]`).
        """
    case .unknownCases(let keys):
      return """
        Cannot derive `\(type)`\(place): the cases of its keys, `\(type).\(keys)`, are unknown. Name them \
        (`words: ["\(type)": ["case", …]]`), make `\(type).\(keys)` `CaseIterable`, or give `samples:` or a \
        generator (`generators: [.value(\(type).self) { … }]`).
        """
    case .unaskedWords(let name, let asked):
      let names = asked.map { "`\($0)`" }.joined(separator: ", ")
      return """
        `words:` has \(Texts.quoted(name)), and `\(type)` decodes no string under such a key, and no \
        enumeration of such a name.\(suggestion(for: name, among: asked)) \
        \(asked.isEmpty ? "It decodes no string at all." : "It has \(names).")
        """
    case .refused(let attempts, let last, _, true):
      return """
        Cannot derive `\(type)`\(place): `init(from:)` refused \(attempts) attempts. Last: \(last). It \
        asked for keys of any name. If they are its cases, name them (`words: ["\(type)": ["case", …]]`), \
        or give `samples:`, or a generator (`generators: [.value(\(type).self) { … }]`).
        """
    case .refused(let attempts, let last, let asked, false):
      let requests = asked.isEmpty ? "nothing" : asked.joined(separator: ", ")
      return """
        Cannot derive `\(type)`\(place): `init(from:)` refused \(attempts) attempts. Last: \(last). It \
        asked for \(requests). Give the words that it knows (`words: ["key": ["word"]]`), `samples:`, or \
        a generator (`generators: [.value(\(type).self) { … }]`).
        """
    }
  }
}
