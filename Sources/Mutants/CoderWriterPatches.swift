/// Bugs of the coder in what it writes into a document: plans, lists, maps.
let coderWriterPatches: [SourcePatch] = [
  // MARK: CommonSequence.swift

  SourcePatch(
    .coder("likeness-of-last-pair-alone"),
    "Elements are paired by their own likeness, whatever is lost for those behind them.",
    law: "list.fewest-in-structs",
    in: "Sources/DocumentCoding/CommonSequence.swift",
    "max(apart, alike + best[place + new + 2])",
    becomes: "max(apart, alike)"
  ),
  SourcePatch(
    .coder("repeated-elements-unmatched"),
    "Elements that a list has more than once are matched at its ends alone.",
    law: "list.fewest-operations",
    in: "Sources/DocumentCoding/CommonSequence.swift",
    "(oldEnd - from) * (newEnd - to) <= fullLimit",
    becomes: "false"
  ),
  SourcePatch(
    .coder("one-anchor-a-level"),
    "Of the elements of a long list that stand once the last alone is kept in each part.",
    law: "list.fewest-operations",
    in: "Sources/DocumentCoding/CommonSequence.swift",
    "low < high",
    becomes: "false"
  ),
  SourcePatch(
    .coder("list-behind-last-anchor-anew"),
    "What stands behind the last element that is there once is written anew in a long list.",
    law: "list.fewest-operations",
    in: "Sources/DocumentCoding/CommonSequence.swift",
    "(oldStart, newStart) != (from, to)",
    becomes: "false"
  ),
  SourcePatch(
    .coder("anchor-twin-taken"),
    "In long lists an element that stood twice in the old one is an anchor.",
    law: "subject.answers",
    in: "Sources/DocumentCoding/CommonSequence.swift",
    "from >= 0",
    becomes: "from >= -1"
  ),

  // MARK: DocumentWriter+Lists.swift

  SourcePatch(
    .coder("arrays-are-written-anew"),
    "Elements of an array are inserted again at every encode, the old ones deleted (#54).",
    law: "reencode.unchanged",
    in: "Sources/DocumentCoding/DocumentWriter+Lists.swift",
    "if shown.start == list.count, shown.start == count { return }",
    becomes: #"""
      try engine.splice(object, at: 0, delete: count)
          return try fill(object, with: list, { path })
      """#,
    as: .statements
  ),
  SourcePatch(
    .coder("arrays-do-not-shrink"),
    "Elements that the array has no more stay in the list (#54).",
    law: "reencode.over-value",
    in: "Sources/DocumentCoding/DocumentWriter+Lists.swift",
    "try engine.splice(known.object, at: start, delete: end - start)",
    becomes: "_ = start",
    as: .statements
  ),
  SourcePatch(
    .coder("pairs-keep-values"),
    "A dictionary that is stored as a list keeps the old values of keys that stay.",
    law: "reencode.over-unordered",
    in: "Sources/DocumentCoding/DocumentWriter+Lists.swift",
    "plan.steps.append((elements[place + 1], .update(start + 1)))",
    becomes: "plan.steps.append((elements[place + 1], .same(start + 1)))",
    as: .statements
  ),
  // A limit meant for a batch, which ends the work instead of the batch.
  SourcePatch(
    .coder("long-runs-stay"),
    "Of elements that are removed in one run, 64 go.",
    law: "reencode.over-value",
    in: "Sources/DocumentCoding/DocumentWriter+Lists.swift",
    "try engine.splice(known.object, at: start, delete: end - start)",
    becomes: "try engine.splice(known.object, at: start, delete: min(end - start, 64))",
    as: .statements
  ),
  SourcePatch(
    .coder("floats-by-their-digits"),
    "In a set a float of more digits is another element than the one that it reads as.",
    law: "reencode.over-other-forms",
    in: "Sources/DocumentCoding/DocumentWriter+Lists.swift",
    ".scalar(.double(Double(Float(number))))",
    becomes: "current"
  ),
  SourcePatch(
    .coder("twins-in-sets-go"),
    "Of an element that two writers added to a set a save leaves one.",
    law: "merge.sets",
    in: "Sources/DocumentCoding/DocumentWriter+Lists.swift",
    "twins[print] = place",
    becomes: "_ = place",
    as: .statements
  ),
  SourcePatch(
    .coder("alike-elements-hide-each-other"),
    "Of a set's elements that read alike, one alone can be the stored one.",
    law: "reference.story",
    in: "Sources/DocumentCoding/DocumentWriter+Lists.swift",
    "fresh[print] ?? []",
    becomes: "Array((fresh[print] ?? []).suffix(1))"
  ),
  SourcePatch(
    .coder("twin-of-pairs-kept"),
    "Two pairs with one key both stay.",
    law: "reencode.over-pairs",
    in: "Sources/DocumentCoding/DocumentWriter+Lists.swift",
    "width == 1",
    becomes: "width >= 1"
  ),
  SourcePatch(
    .coder("odd-pair-read-past-the-end"),
    "A key without a value at the end of a list of pairs is taken for a pair.",
    law: "subject.answers",
    in: "Sources/DocumentCoding/DocumentWriter+Lists.swift",
    "known.count - width",
    becomes: "known.count - 1"
  ),
  SourcePatch(
    .coder("respelled-urls-unknown-in-sets"),
    "A URL of a set that a peer spelled otherwise is another element.",
    law: "reencode.over-other-forms",
    in: "Sources/DocumentCoding/DocumentWriter+Lists.swift",
    ".scalar(.string(URL(string: text)?.absoluteString ?? text))",
    becomes: "current"
  ),
  SourcePatch(
    .coder("sets-as-hashed"),
    "A set is written in the order of its hash table.",
    law: "encode.deterministic",
    in: "Sources/DocumentCoding/DocumentWriter+Lists.swift",
    "elements.count > width",
    becomes: "false"
  ),

  SourcePatch(
    .coder("pairs-written-in-place"),
    "The new value of a pair is put over the old one, which a peer may have deleted with its key.",
    law: "concurrent.decodes",
    in: "Sources/DocumentCoding/DocumentWriter+Lists.swift",
    "setsPlace(elements[place + 1], over: known.values[start + 1])",
    becomes: "false"
  ),
  SourcePatch(
    .coder("rows-by-content"),
    "Elements of a list that a type wrote by hand are looked for by content.",
    law: "concurrent.decodes",
    in: "Sources/DocumentCoding/DocumentWriter+Lists.swift",
    "isSameRow(list, known)",
    becomes: "false"
  ),
  SourcePatch(
    .coder("pairs-match-first-twin"),
    "Of two stored pairs with one key the encoder keeps the first, and the decoder takes the last.",
    law: "reencode.over-pairs",
    in: "Sources/DocumentCoding/DocumentWriter+Lists.swift",
    "width == 2 ? starts.reversed() : starts",
    becomes: "starts"
  ),

  // MARK: DocumentWriter+Maps.swift

  SourcePatch(
    .coder("old-cases-stay"),
    "The old case of an enum stays beside the new one (#217).",
    law: "reencode.over-value",
    in: "Sources/DocumentCoding/DocumentWriter+Maps.swift",
    "if strategy == .readonly || keepsUnknownKeys(map) { return }",
    becomes: "if strategy == .readonly || map.owner != .dictionary { return }",
    as: .statements
  ),
  // A removed key of a dictionary is a removal; an unknown key of a struct belongs to a later
  // version. The coder must tell the two types apart.
  SourcePatch(
    .coder("preserve-keeps-dictionaries"),
    "With unknown keys kept, a dictionary keeps what was removed from it.",
    law: "unknown.not-in-dictionaries",
    in: "Sources/DocumentCoding/DocumentWriter+Maps.swift",
    "unknownKeys == .preserve && map.owner == .type",
    becomes: "unknownKeys == .preserve"
  ),
  SourcePatch(
    .coder("preserve-is-ignored"),
    "Unknown keys are deleted, whatever was asked for.",
    law: "unknown.preserved",
    in: "Sources/DocumentCoding/DocumentWriter+Maps.swift",
    "unknownKeys == .preserve && map.owner == .type",
    becomes: "false"
  ),
  SourcePatch(
    .coder("remove-is-ignored"),
    "Unknown keys stay, whatever was asked for.",
    law: "unknown.removed",
    in: "Sources/DocumentCoding/DocumentWriter+Maps.swift",
    "unknownKeys == .preserve && map.owner == .type",
    becomes: "map.owner == .type"
  ),
  SourcePatch(
    .coder("override-refuses"),
    "The strategy that overrides refuses another kind of container.",
    law: "strategy.override",
    in: "Sources/DocumentCoding/DocumentWriter+Maps.swift",
    "strategy == .override",
    becomes: "false"
  ),
  SourcePatch(
    .coder("creates-over-anything"),
    "Maps replace whatever stands in their place.",
    law: "strategy.create-refuses",
    in: "Sources/DocumentCoding/DocumentWriter+Maps.swift",
    "strategy == .override",
    becomes: "true"
  ),
  SourcePatch(
    .coder("absent-key-counts"),
    "A nil field that is not stored counts among the stored keys.",
    law: "reencode.over-drift",
    in: "Sources/DocumentCoding/DocumentWriter+Maps.swift",
    "current?.isNull ?? false",
    becomes: "current?.isNull ?? true"
  ),
  SourcePatch(
    .coder("deleted-key-counts-as-present"),
    "Where a field became nil, an unknown key beside it is not deleted.",
    law: "unknown.removed",
    in: "Sources/DocumentCoding/DocumentWriter+Maps.swift",
    "current?.isNull ?? false",
    becomes: "current != nil"
  ),
  SourcePatch(
    .coder("preserve-at-root-only"),
    "With unknown keys kept, those below the root go.",
    law: "unknown.in-elements",
    in: "Sources/DocumentCoding/DocumentWriter+Maps.swift",
    "if strategy == .readonly || keepsUnknownKeys(map) { return }",
    becomes: "if strategy == .readonly || (keepsUnknownKeys(map) && object == .root) { return }",
    as: .statements
  ),
  SourcePatch(
    .coder("refused-maps-name-the-wanted-kind"),
    "The words of a refusal say the wanted kind for the one that was found.",
    law: "strategy.create-refuses",
    in: "Sources/DocumentCoding/DocumentWriter+Maps.swift",
    #"mismatch(path(), wanted: "a map", found: current.word)"#,
    becomes: #"mismatch(path(), wanted: current.word, found: "a map")"#
  ),

  // MARK: DocumentWriter+Plans.swift

  // `Identifiable` says which element it is, not that it is as before.
  SourcePatch(
    .coder("identity-is-equality"),
    "An element with the id of a stored one is taken for equal to it.",
    law: "reencode.over-value",
    in: "Sources/DocumentCoding/DocumentWriter+Plans.swift",
    #"""
    matches[to] = .update(from)
            pairs.append((from, to))
    """#,
    becomes: #"""
      matches[to] = .same(from)
              pairs.append((from, to))
      """#,
    as: .statements
  ),
  SourcePatch(
    .coder("nulls-serve-for-nothing"),
    "A null in a list is deleted, and the value that comes in its place inserted.",
    law: "reencode.one-leaf",
    in: "Sources/DocumentCoding/DocumentWriter+Plans.swift",
    "Self.fits(current, value)",
    becomes: "Self.fits(current, value) && !current.isNull"
  ),
  SourcePatch(
    .coder("half-alike-is-another"),
    "An element whose id changes is replaced where just half of its fields are alike.",
    law: "list.other-identity",
    in: "Sources/DocumentCoding/DocumentWriter+Plans.swift",
    "(same - lacking) * 2 < map.count - lacking",
    becomes: "(same - lacking) * 2 <= map.count - lacking"
  ),
  SourcePatch(
    .coder("paired-element-counts-as-left"),
    "A cautious encode refuses a new element for the sake of one that became another.",
    law: "cautious.refuses",
    in: "Sources/DocumentCoding/DocumentWriter+Plans.swift",
    "left.remove(pair.old + old.lowerBound)",
    becomes: "_ = pair",
    as: .statements
  ),
  SourcePatch(
    .coder("alike-above-is-equal"),
    "Elements that look alike down to 16 levels are equal.",
    law: "depth.limited",
    in: "Sources/DocumentCoding/DocumentWriter+Plans.swift",
    "shows(known, from, elements[to])",
    becomes: "true"
  ),
  SourcePatch(
    .coder("strings-give-way-to-texts"),
    "A text takes the place of a string in a list.",
    law: "text.over-other",
    in: "Sources/DocumentCoding/DocumentWriter+Plans.swift",
    "if case .text = value, case .scalar(.string) = old { return true }",
    becomes: "_ = value",
    as: .statements
  ),
  SourcePatch(
    .coder("counters-of-a-list-are-alike"),
    "A counter that stays in its list is looked for as if it came from elsewhere.",
    law: "reference.own-element",
    in: "Sources/DocumentCoding/DocumentWriter+Plans.swift",
    "place.holder == holder",
    becomes: "place.holder != holder"
  ),
  SourcePatch(
    .coder("moved-counters-take-elements"),
    "A counter that has moved takes the element of one that went.",
    law: "reference.own-element",
    in: "Sources/DocumentCoding/DocumentWriter+Plans.swift",
    "counter.place(in: home)?.holder == known.object ? 0 : 1",
    becomes: "1"
  ),
  SourcePatch(
    .coder("moved-texts-take-elements"),
    "A text that has moved takes the element of one that went.",
    law: "reference.own-element",
    in: "Sources/DocumentCoding/DocumentWriter+Plans.swift",
    "text.object(in: home).map { $0 == object ? 101 : 0 } ?? 1",
    becomes: "1"
  ),
  SourcePatch(
    .coder("ends-of-longer-lists-unseen"),
    "The end of a list that became longer is not looked at.",
    law: "reencode.over-other-forms",
    in: "Sources/DocumentCoding/DocumentWriter+Plans.swift",
    "newEnd > start",
    becomes: "false"
  ),
  SourcePatch(
    .coder("single-elements-pair-by-place"),
    "A list of one element that gets others around it is written over from its start.",
    law: "list.fewest-operations",
    in: "Sources/DocumentCoding/DocumentWriter+Plans.swift",
    "old.count > 1 || new.count > 1",
    becomes: "old.count > 1 && new.count > 1"
  ),
  SourcePatch(
    .coder("likeness-limit-excluded"),
    "Just as many pairs of structs as a coder looks at are taken by their places.",
    law: "list.fewest-in-structs",
    in: "Sources/DocumentCoding/DocumentWriter+Plans.swift",
    "old.count * new.count <= Self.likenessLimit",
    becomes: "old.count * new.count < Self.likenessLimit"
  ),
  SourcePatch(
    .coder("lacking-fields-are-alike"),
    "Fields that are nil in both make two elements of different ids alike.",
    law: "list.other-identity",
    in: "Sources/DocumentCoding/DocumentWriter+Plans.swift",
    "lacking += 1",
    becomes: "_ = lacking",
    as: .statements
  ),
  SourcePatch(
    .coder("bound-text-is-no-likeness"),
    "That an element has the very text that a struct is bound to does not make the two alike.",
    law: "reference.own-element",
    in: "Sources/DocumentCoding/DocumentWriter+Plans.swift",
    "if text.object(in: home) == stored { same += 1 } else { isOther = true }",
    becomes: "if text.object(in: home) != stored { isOther = true }",
    as: .statements
  ),
  SourcePatch(
    .coder("cautious-list-replaces"),
    "A cautious write does not refuse another kind of element in an array.",
    law: "cautious.refuses",
    in: "Sources/DocumentCoding/DocumentWriter+Plans.swift",
    "isCautious && !Self.fits(old, value)",
    becomes: "false"
  ),

  // MARK: DocumentWriter+Wholes.swift

  SourcePatch(
    .coder("ranges-part-by-part"),
    "The ends of a range are written one by one.",
    law: "concurrent.decodes",
    in: "Sources/DocumentCoding/DocumentWriter+Wholes.swift",
    "list.isWhole",
    becomes: "false"
  ),
  SourcePatch(
    .coder("cases-written-in-place"),
    "Another case of an enum is written into the map of the old one.",
    law: "concurrent.decodes",
    in: "Sources/DocumentCoding/DocumentWriter+Wholes.swift",
    "isOtherCase(map, than: object)",
    becomes: "false"
  ),
  SourcePatch(
    .coder("payloads-are-cases"),
    "What the case of an enum nests is asked for another case as well.",
    law: "concurrent.in-one-case",
    in: "Sources/DocumentCoding/DocumentWriter+Wholes.swift",
    "[.nested, .dictionary, .openKeys]",
    becomes: "[.dictionary, .openKeys]"
  ),
  SourcePatch(
    .coder("handed-on-cases-in-place"),
    "What an enum hands on for another case is written into the map of the old one.",
    law: "concurrent.decodes",
    in: "Sources/DocumentCoding/DocumentWriter+Wholes.swift",
    "marks.contains(.handedOn) && !keepsUnknownKeys(map)",
    becomes: "false"
  ),
  SourcePatch(
    .coder("new-kinds-in-wholes-refused"),
    "An enum that is a list is refused where it has a list for a number.",
    law: "concurrent.decodes",
    in: "Sources/DocumentCoding/DocumentWriter+Wholes.swift",
    "if isCautious { try check(value, below: current, path()) }",
    becomes: "try check(value, below: current, path())",
    as: .statements
  ),

  // MARK: DocumentWriter.swift

  SourcePatch(
    .coder("writes-without-comparing"),
    "A scalar is written even if another kind of number says the same.",
    law: "date.keeps-milliseconds",
    in: "Sources/DocumentCoding/DocumentWriter.swift",
    "if reads(current, as: value) { return }",
    becomes: "_ = current",
    as: .statements
  ),
  SourcePatch(
    .coder("caution-is-off"),
    "Cautious writing writes over scalars of another kind.",
    law: "cautious.refuses",
    in: "Sources/DocumentCoding/DocumentWriter.swift",
    "guard scalar.word != current.word else { return }",
    becomes: "return",
    as: .statements
  ),
  SourcePatch(
    .coder("readonly-creates"),
    "Read-only encodes make what is missing.",
    law: "strategy.readonly",
    in: "Sources/DocumentCoding/DocumentWriter.swift",
    #"""
    if strategy == .readonly {
          throw CodingKeyLookupError.SchemaMissing(
            "Nothing exists at \(path().keys.dotted) and schema is read-only"
          )
        }
    """#,
    becomes: "_ = strategy",
    as: .statements
  ),
  SourcePatch(
    .coder("preserve-keeps-nil"),
    "With unknown keys kept, keys whose value is nil stay, too.",
    law: "unknown.named-is-known",
    in: "Sources/DocumentCoding/DocumentWriter.swift",
    "strategy != .readonly",
    becomes: "strategy != .readonly && unknownKeys == .remove"
  ),
  SourcePatch(
    .coder("moved-counter-reads-new-value"),
    "A counter that moves takes what its old place was given meanwhile.",
    law: "reference.moves",
    in: "Sources/DocumentCoding/DocumentWriter.swift",
    "held.count(of: counter, in: home)",
    becomes: "Int64(counter.value)"
  ),
  SourcePatch(
    .coder("texts-turn-into-strings"),
    "A string field over a text replaces the text.",
    law: "text.under-string",
    in: "Sources/DocumentCoding/DocumentWriter.swift",
    "return try engine.updateText(object, text)",
    becomes: #"""
      try put(scalar, over: current, at: place, path)
              return
      """#,
    as: .statements
  ),
  SourcePatch(
    .coder("readonly-deletes-nil"),
    "A read-only encode deletes the key of a field that became nil.",
    law: "strategy.readonly",
    in: "Sources/DocumentCoding/DocumentWriter.swift",
    "strategy != .readonly",
    becomes: "true"
  ),
  SourcePatch(
    .coder("string-over-text-forgets-held"),
    "A string written over a text changes what a reference to that text brings elsewhere.",
    law: "text.kept",
    in: "Sources/DocumentCoding/DocumentWriter.swift",
    "held.keep(object, of: engine)",
    becomes: "_ = object",
    as: .statements
  ),

  // MARK: Fingerprints.swift

  SourcePatch(
    .coder("great-numbers-differ"),
    "A whole float beyond 63 bits stands for another value than the integer that it equals.",
    law: "reencode.over-other-kinds",
    in: "Sources/DocumentCoding/Fingerprints.swift",
    "UInt64(exactly: value)",
    becomes: "UInt64(exactly: value).flatMap({ _ in UInt64?.none })"
  ),
  SourcePatch(
    .coder("ids-by-their-letters"),
    "In a set an id in lower case is another element than the one that it reads as.",
    law: "reencode.over-other-forms",
    in: "Sources/DocumentCoding/Fingerprints.swift",
    "isUUID ? value.uppercased() : value",
    becomes: "value"
  ),
  SourcePatch(
    .coder("foreign-moments-in-sets-go"),
    "A date in a set is rewritten if another program stored it with a fraction.",
    law: "date.keeps-milliseconds",
    in: "Sources/DocumentCoding/Fingerprints.swift",
    "dateTruncation.truncated(value)",
    becomes: "value"
  ),
  SourcePatch(
    .coder("branches-know-texts-by-later-content"),
    "On a branch, a set's text is looked for by what was typed in it since.",
    law: "reference.story",
    in: "Sources/DocumentCoding/Fingerprints.swift",
    "stored ?? held.content(of: text, in: home)",
    becomes: "{ _ = stored; return held.content(of: text, in: home) }()"
  ),
  SourcePatch(
    .coder("fingerprints-count-the-absent"),
    "An element with an absent field does not look like the one that is stored.",
    law: "reencode.over-unordered",
    in: "Sources/DocumentCoding/Fingerprints.swift",
    "if case .absent = value { continue }",
    becomes: "_ = value",
    as: .statements
  ),
  SourcePatch(
    .coder("nested-lists-look-strange"),
    "A list within a list does not look like the one that is stored.",
    law: "list.fewest-operations",
    in: "Sources/DocumentCoding/Fingerprints.swift",
    """
    hasher.combine(Tag.list)
          var sum = 0
          for element in list { sum &+= fingerprint(element, depth: depth - 1) }
          hasher.combine(sum)
    """,
    becomes: """
      var sum = 0
            for element in list { sum &+= fingerprint(element, depth: depth - 1) }
            hasher.combine(sum)
      """,
    as: .statements
  ),
  SourcePatch(
    .coder("fingerprints-of-two-depths"),
    "Of deep elements the document's side is looked into further than the model's.",
    law: "list.edit-one",
    in: "Sources/DocumentCoding/Fingerprints.swift",
    "kind != .text",
    becomes: "kind == .text"
  ),
  SourcePatch(
    .coder("fingerprints-without-keys"),
    "Values under each other's keys have one fingerprint.",
    law: "merge.sets",
    in: "Sources/DocumentCoding/Fingerprints.swift",
    "hasher.combine(key)",
    becomes: "_ = key",
    as: .statements
  ),
]
