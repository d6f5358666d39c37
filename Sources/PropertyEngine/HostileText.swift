/// A kind of text that programs get wrong, with pieces of it.
package struct HostileTextClass: Hashable, Sendable {
  /// What the pieces have in common.
  package let name: String
  /// Pieces of one or more Unicode scalars, the simplest first.
  package let pieces: [String]
  /// How often the seeded source picks the class, in proportion to the others.
  package let weight: Int

  /// Every class, the simplest first.
  package static let all: [HostileTextClass] = [
    Self(
      name: "ASCII",
      pieces: ["a", "b", "z", "A", "0", "9", " ", "\"", "\\", "/", "'", "<", "&", "{", "~"],
      weight: 8
    ),
    Self(
      name: "controls",
      pieces: ["\n", "\t", "\r", "\r\n", "\u{0}", "\u{1}", "\u{1B}", "\u{7F}", "\u{85}"],
      weight: 2
    ),
    Self(
      name: "two and three bytes",
      pieces: ["é", "ß", "İ", "ı", "ſ", "Ω", "中", "ﬁ", "\u{2028}", "\u{2029}", "\u{A0}"],
      weight: 2
    ),
    // On their own they attach to whatever stands before them, in this text or in the next.
    Self(
      name: "combining marks",
      pieces: ["\u{301}", "\u{308}", "\u{323}", "\u{20E3}", "\u{FE0F}", "\u{FE0E}", "\u{5B0}"],
      weight: 2
    ),
    // Equal to a reader and to Swift's `==`, different in their scalars.
    Self(
      name: "normalisation pairs",
      pieces: [
        "\u{E9}", "e\u{301}", "\u{C5}", "\u{212B}", "A\u{30A}", "\u{1E69}", "s\u{307}\u{323}",
        "s\u{323}\u{307}", "\u{2126}", "\u{3A9}",
      ],
      weight: 2
    ),
    Self(
      name: "emoji sequences",
      pieces: [
        "\u{1F600}", "\u{1F44D}\u{1F3FD}", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}",
        "\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}",
        "\u{2764}\u{FE0F}\u{200D}\u{1F525}", "\u{200D}", "\u{1F3FD}",
      ],
      weight: 2
    ),
    // Pairs make flags; three in a row, or one alone, do not.
    Self(
      name: "regional indicators",
      pieces: ["\u{1F1E9}\u{1F1EA}", "\u{1F1E9}", "\u{1F1EA}", "\u{1F1FA}\u{1F1F8}\u{1F1E9}"],
      weight: 1
    ),
    Self(
      name: "Hangul jamo",
      pieces: ["\u{AC00}", "\u{1100}\u{1161}", "\u{1100}", "\u{1161}", "\u{11A8}", "\u{D7A3}"],
      weight: 1
    ),
    Self(
      name: "right to left",
      pieces: [
        "\u{5D0}", "\u{627}", "\u{200E}", "\u{200F}", "\u{202E}", "\u{202A}", "\u{202C}",
        "\u{2066}", "\u{2067}", "\u{2069}",
      ],
      weight: 1
    ),
    // UTF-16's surrogates lie between the first two; the others begin or end a plane, or need a
    // pair of surrogates.
    Self(
      name: "edges of encodings",
      pieces: [
        "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{FFFE}", "\u{10000}", "\u{10FFFF}", "\u{7FF}",
        "\u{800}", "\u{80}", "\u{F0000}", "\u{100000}",
      ],
      weight: 2
    ),
    Self(
      name: "marks with a meaning of their own",
      pieces: ["\u{FEFF}", "\u{FFFC}", "\u{FFFD}", "\u{200B}", "\u{AD}", "\u{2060}", "\u{E0001}"],
      weight: 2
    ),
  ]
}

extension Generator where Value == String {
  /// UTF-8 bytes that a long hostile text has at least: 64 KiB.
  package static var hostileTextLongByteCount: Int { 65_536 }

  /// Text that programs get wrong: pieces of every ``HostileTextClass``, in any order.
  ///
  /// The simplest text is empty, then comes `a`. One text in 256 is a piece repeated to 64 KiB or
  /// a little more, whatever the limit says, since buffers break there; `long: false` rules that
  /// out.
  ///
  /// Otherwise a text has at most `scalarLimit` Unicode scalars: a piece that would go beyond is
  /// left out.
  package static func hostileText(
    unicodeScalarsUpTo scalarLimit: Int,
    long: Bool = true
  ) -> Generator {
    let classes = HostileTextClass.all
    let weights = classes.map(\.weight)
    let pieces = classes.map { $0.pieces.map { (text: $0, count: $0.unicodeScalars.count) } }
    @Sendable func piece(_ choices: inout Choices) -> (text: String, count: Int) {
      choices.element(of: pieces[choices.pick(weights: weights)])
    }
    let chance = Choices.chanceOfAnother(upTo: scalarLimit, averaging: scalarLimit / 2)
    return Generator { choices in
      if long, choices.pick(weights: [255, 1]) == 1 {
        let repeated = piece(&choices).text
        let count = (hostileTextLongByteCount - 1) / repeated.utf8.count + 1
        return String(repeating: repeated, count: count)
      }
      var (text, count) = ("", 0)
      choices.repeated(upTo: scalarLimit, chance: chance, "piece") { choices in
        let piece = piece(&choices)
        guard count + piece.count <= scalarLimit else { return }
        text += piece.text
        count += piece.count
      }
      return text
    }
  }
}
