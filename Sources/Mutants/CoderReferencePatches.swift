/// Bugs of the coder where texts and counters are bound to their places.
let coderReferencePatches: [SourcePatch] = [
  // MARK: AutomergeText+Selection.swift

  SourcePatch(
    .coder("selection-of-another-text"),
    "A text takes the selection of another one for its own.",
    law: "reference.binds-to-places",
    in: "Sources/DocumentCoding/AutomergeText+Selection.swift",
    "binding.object == anchor.object",
    becomes: "true"
  ),
  SourcePatch(
    .coder("selection-starts-in-the-next"),
    "A selection that began within a deleted element of several letters begins within the next.",
    law: "reference.binds-to-places",
    in: "Sources/DocumentCoding/AutomergeText+Selection.swift",
    "first.isThere ? min(anchor.startOffset, first.bytes.count) : 0",
    becomes: "min(anchor.startOffset, first.bytes.count)"
  ),
  SourcePatch(
    .coder("selection-takes-the-next"),
    "A selection whose last character was deleted grows by the one behind.",
    law: "reference.binds-to-places",
    in: "Sources/DocumentCoding/AutomergeText+Selection.swift",
    "last.isThere && !last.bytes.isEmpty",
    becomes: "!last.bytes.isEmpty"
  ),
  SourcePatch(
    .coder("anchor-beyond-end"),
    "A selection behind the end of a text is looked up as it is.",
    law: "reference.binds-to-places",
    in: "Sources/DocumentCoding/AutomergeText+Selection.swift",
    "min(index, text.endIndex)",
    becomes: "index"
  ),

  // MARK: AutomergeText.swift

  SourcePatch(
    .coder("refused-binding-binds"),
    "A text that may not be bound to an object is bound to it all the same.",
    law: "reference.binds-to-places",
    in: "Sources/DocumentCoding/AutomergeText.swift",
    "guard (try? engine.kind(of: id.engineID)) == .text else { throw BindingError.NotText }",
    becomes: """
      guard (try? engine.kind(of: id.engineID)) == .text else {
              attach(to: doc, id)
              throw BindingError.NotText
            }
      """,
    as: .statements
  ),
  SourcePatch(
    .coder("rebound-text-writes"),
    "A bound text that is bound elsewhere writes what it held there.",
    law: "reference.binds-to-places",
    in: "Sources/DocumentCoding/AutomergeText.swift",
    "$0.binding == nil ? $0.text : \"\"",
    becomes: "$0.text"
  ),
  SourcePatch(
    .coder("texts-of-two-documents-are-one"),
    "Texts with one id are equal, whichever documents they are in.",
    law: "reference.binds-to-places",
    in: "Sources/DocumentCoding/AutomergeText.swift",
    "first.document === second.document",
    becomes: "true"
  ),
  SourcePatch(
    .coder("texts-empty-in-json"),
    "A text is written empty by other coders.",
    law: "reference.binds-to-places",
    in: "Sources/DocumentCoding/AutomergeText.swift",
    "try container.encode(value, forKey: .value)",
    becomes: "try container.encode(\"\", forKey: .value)",
    as: .statements
  ),
  SourcePatch(
    .coder("unbound-texts-are-constant"),
    "What is set on a text that is bound to nothing is dropped.",
    law: "text.binds",
    in: "Sources/DocumentCoding/AutomergeText.swift",
    "$0.text = newValue",
    becomes: "if $0.binding != nil { $0.text = newValue }",
    as: .statements
  ),
  SourcePatch(
    .coder("read-texts-are-forgotten"),
    "A text whose object is gone knows nothing of what was read.",
    law: "text.binds",
    in: "Sources/DocumentCoding/AutomergeText.swift",
    "state.withLock { if $0.text == known { $0.text = text } }",
    becomes: "_ = known",
    as: .statements
  ),

  // MARK: Counter.swift

  // Of the ways to write a counter one merges: to add the difference.
  SourcePatch(
    .coder("counters-are-set"),
    "Setting a bound counter adds the whole new number.",
    law: "counter.sets-add",
    in: "Sources/DocumentCoding/Counter.swift",
    "increment(by: newValue &- value)",
    becomes: "increment(by: newValue)"
  ),
  SourcePatch(
    .coder("counters-equal-anywhere"),
    "Counters at two places of a document are equal if they count the same.",
    law: "reference.binds-to-places",
    in: "Sources/DocumentCoding/Counter.swift",
    "first.place == second.place",
    becomes: "true"
  ),
  SourcePatch(
    .coder("counter-rebinds-with-its-count"),
    "A bound counter that is bound again adds its count.",
    law: "reference.binds-to-places",
    in: "Sources/DocumentCoding/Counter.swift",
    "state.withLock { $0.binding == nil ? $0.count : 0 }",
    becomes: "state.withLock { $0.count }"
  ),
  SourcePatch(
    .coder("counters-of-json-start-at-zero"),
    "A counter that another coder wrote is read as 0.",
    law: "reference.binds-to-places",
    in: "Sources/DocumentCoding/Counter.swift",
    "container.decode(Int.self, forKey: .value)",
    becomes: "container.decode(Int.self, forKey: .value) * 0"
  ),
  SourcePatch(
    .coder("counters-name-the-root"),
    "A bound counter says that the root holds it.",
    law: "reference.binds-to-places",
    in: "Sources/DocumentCoding/Counter.swift",
    "ObjId(binding.place.holder, kind ?? .map)",
    becomes: "ObjId.ROOT"
  ),
  SourcePatch(
    .coder("unbound-counters-are-constant"),
    "What is added to a counter that is bound to nothing is dropped.",
    law: "counter.binds",
    in: "Sources/DocumentCoding/Counter.swift",
    "if $0.binding == nil { $0.count &+= amount }",
    becomes: "_ = amount",
    as: .statements
  ),
  SourcePatch(
    .coder("counter-forgets-read"),
    "A counter does not keep what it has read.",
    law: "reference.binds-to-places",
    in: "Sources/DocumentCoding/Counter.swift",
    "state.withLock { $0.count = count }",
    becomes: "_ = count",
    as: .statements
  ),

  // MARK: DocumentWriter+References.swift

  SourcePatch(
    .coder("texts-are-made-anew"),
    "A text that is there is replaced by a new one (#60).",
    law: "text.kept",
    in: "Sources/DocumentCoding/DocumentWriter+References.swift",
    "if text.object(in: home) == object { return }",
    becomes: "return try create(.text(text), at: place, path)",
    as: .statements
  ),
  SourcePatch(
    .coder("counters-add-themselves"),
    "Encoding a counter adds its value to the one that is there (#64).",
    law: "reencode.over-value",
    in: "Sources/DocumentCoding/DocumentWriter+References.swift",
    "held.count(of: counter, in: home) &- known",
    becomes: "held.count(of: counter, in: home)"
  ),
  SourcePatch(
    .coder("texts-stay-unbound"),
    "Encoding binds no text.",
    law: "text.binds",
    in: "Sources/DocumentCoding/DocumentWriter+References.swift",
    "text.attach(to: home, ObjId(object, .text))",
    becomes: "_ = object",
    as: .statements
  ),
  SourcePatch(
    .coder("empty-texts-keep-content"),
    "An empty text that was encoded leaves the old content.",
    law: "text.emptied",
    in: "Sources/DocumentCoding/DocumentWriter+References.swift",
    "try engine.updateText(object, content)",
    becomes: #"""
      if !content.isEmpty { try engine.updateText(object, content) }
      """#,
    as: .statements
  ),
  SourcePatch(
    .coder("counters-stay-unbound"),
    "Encoding binds no counter.",
    law: "counter.bound-by-encode",
    in: "Sources/DocumentCoding/DocumentWriter+References.swift",
    "counter.attach(to: home, place)",
    becomes: "_ = place",
    as: .statements
  ),
  SourcePatch(
    .coder("counters-are-put"),
    "Encoding a counter puts a new one in the place of the old.",
    law: "counter.adds",
    in: "Sources/DocumentCoding/DocumentWriter+References.swift",
    "try engine.increment(holder, .key(key), by: amount)",
    becomes: "try engine.put(holder, .key(key), .counter(Int64(counter.value)))",
    as: .statements
  ),
  SourcePatch(
    .coder("moved-counter-stays-behind"),
    "A counter that moved within its list stays bound to the element that went.",
    law: "reference.moves",
    in: "Sources/DocumentCoding/DocumentWriter+References.swift",
    "engine.count(at: bound.place) == nil",
    becomes: "false"
  ),
  SourcePatch(
    .coder("strings-leave-texts-bound"),
    "A text in whose place a string was written stays bound to that.",
    law: "reference.story",
    in: "Sources/DocumentCoding/DocumentWriter+References.swift",
    "held.hasInstance(of: object)",
    becomes: "false"
  ),
  SourcePatch(
    .coder("shared-counter-bound-to-last-place"),
    "A counter that stands twice is bound to the last place.",
    law: "reference.shared",
    in: "Sources/DocumentCoding/DocumentWriter+References.swift",
    "isBound.insert(ObjectIdentifier(counter))",
    becomes: "_ = counter",
    as: .statements
  ),
  SourcePatch(
    .coder("readonly-counters-replace-objects"),
    "A readonly encode puts a counter over an object.",
    law: "counter.over-other",
    in: "Sources/DocumentCoding/DocumentWriter+References.swift",
    #"throw mismatch(path(), wanted: "a counter", found: kind.word)"#,
    becomes: "_ = kind",
    as: .statements
  ),

  // MARK: HeldValues.swift

  SourcePatch(
    .coder("lost-counter-not-held"),
    "A counter whose key is gone is not asked for its count before others are written.",
    law: "reference.moves",
    in: "Sources/DocumentCoding/HeldValues.swift",
    """
    if let count = engine.count(at: place) {
              counts[place] = count
            } else {
              lostCounts[ObjectIdentifier(counter)] = Int64(counter.value)
            }
    """,
    becomes: "if let count = engine.count(at: place) { counts[place] = count }",
    as: .statements
  ),
  SourcePatch(
    .coder("branches-hold-counts"),
    "A counter that is copied on a branch counts what the branch had.",
    law: "reference.based-on",
    in: "Sources/DocumentCoding/HeldValues.swift",
    "home.reading { $0 === engine }",
    becomes: "true"
  ),

  // MARK: Locator.swift

  SourcePatch(
    .coder("elements-are-inserted"),
    "A scalar at the path of an element is inserted before it.",
    law: "path.element",
    in: "Sources/DocumentCoding/Locator.swift",
    ".element(holder, index)",
    becomes: ".insertion(holder, index)"
  ),
  SourcePatch(
    .coder("path-never-appends"),
    "A path to the end of a list is refused.",
    law: "path.by-strategy",
    in: "Sources/DocumentCoding/Locator.swift",
    "index == length",
    becomes: "false"
  ),
  SourcePatch(
    .coder("end-is-out-of-bounds"),
    "Where nothing may be made, the end of a list counts as a place beyond it.",
    law: "path.element",
    in: "Sources/DocumentCoding/Locator.swift",
    "index <= length",
    becomes: "strategy == .readonly ? index < length : index <= length"
  ),
]
