import MergeEngine

/// A place of a document as people write it: `list[2].title`; a key that is no plain word is quoted, `"a key"[0]`.
///
/// What ``description`` writes, ``init(_:)`` reads back; it also takes quotes around a plain word, and leading zeros.
struct DocumentPath: Hashable, CustomStringConvertible {
  let props: [Prop]

  init(_ props: [Prop]) {
    self.props = props
  }

  /// `nil` for the empty text, and for one of another form.
  init?(_ text: String) {
    var rest = text.unicodeScalars[...]
    var props: [Prop] = []
    while let next = rest.first {
      if next == "[" {
        rest.removeFirst()
        let digits = rest.prefix { "0"..."9" ~= $0 }
        guard let index = Int(String(digits)) else { return nil }
        rest = rest.dropFirst(digits.count)
        guard rest.popFirst() == "]" else { return nil }
        props.append(.index(index))
      } else {
        guard props.isEmpty || rest.popFirst() == ".",
          let key = SafeText.takeKey(from: &rest)
        else { return nil }
        props.append(.key(key))
      }
    }
    guard !props.isEmpty else { return nil }
    self.props = props
  }

  /// Empty for the document itself.
  var description: String {
    var text = ""
    for prop in props {
      switch prop {
      case .key(let key): text += (text.isEmpty ? "" : ".") + SafeText.key(key)
      case .index(let index): text += "[\(index)]"
      }
    }
    return text
  }
}
