import CodingLaws

// What Foundation's coders are known to do otherwise. Each entry has its paragraph in
// Documentation/Findings.md, "Foundation's coders", and a sample that shows it.

let jsonDivergences: [CoderDivergence] = [
  CoderDivergence(
    law: "integers.out-of-range",
    kind: "complaint.differs",
    reason: "JSONDecoder refuses a number that does not fit without saying where it stands",
    example: """
      {
        "model": "WideIntegers",
        "numbers": [],
        "trees": [int 128],
        "values": [{"list": [], "signed": int 0, "small": int 0, "unsigned": uint 0}]
      }
      """
  ),
  CoderDivergence(
    law: "drift.typed",
    kind: "complaint.untyped",
    reason: "JSONDecoder refuses a number that does not fit without saying where it stands",
    example: """
      {
        "model": "WideIntegers",
        "numbers": [],
        "trees": [{"list": [], "signed": int 0, "small": int 300, "unsigned": uint 0}],
        "values": []
      }
      """
  ),
  nestedPlace("place", "[float 0.5]"),
  nestedPlace("refusal", "float nan"),
  indexSetTrap,
]

/// A stranger may stand for any number of the model, a length among them.
private let indexSetTrap = CoderDivergence(
  law: "drift.typed",
  model: "FoundationTypes",
  endsProcess: true,
  reason: "`IndexSet` ends the process on a range of negative length"
)

/// `content` below a map that the root's container was asked for.
private func nestedPlace(_ what: String, _ content: String) -> CoderDivergence {
  CoderDivergence(
    law: "containers.say-where",
    kind: "containers.nested-\(what)",
    reason: "a container from `nestedContainer` does not add its keys to the coding path",
    example: """
      {
        "model": "Empty",
        "numbers": [int 1, int 0, int 0, int 0, int 0, int 0, int 0, int 0],
        "trees": [{"a": {"a": \(content)}}],
        "values": []
      }
      """
  )
}

let propertyListDivergences =
  ["strings.exact", "roundtrip.value"].map { law in
    spelledOnce(
      law,
      """
      {
        "model": "Strings",
        "numbers": [int 0],
        "trees": [],
        "values": [{"list": [], "map": {"\u{E9}": "x"}, "value": "e\u{301}"}]
      }
      """
    )
  } + [
    nestedPlace("place", "[float 0.5]"),
    indexSetTrap,
    spelledOnce(
      "containers.nested",
      """
      {
        "model": "ShapesInside",
        "numbers": [],
        "trees": [],
        "values": [
          {
            "asked": {
              "count": int 0,
              "name": "",
              "numbers": [],
              "point": {"x": int 0, "y": int 0},
              "split": int 0
            },
            "list": [],
            "pairs": {"last": ["e\u{301}", {"x": int 0, "y": int 0}], "pairs": []},
            "written": {
              "\u{E9}": {
                "count": int 0,
                "early": [],
                "name": "",
                "numbers": [],
                "point": {"x": int 0, "y": int 0}
              }
            }
          }
        ]
      }
      """
    ),
    spelledOnce(
      "containers.inherited",
      """
      {
        "model": "Kennel",
        "numbers": [],
        "trees": [],
        "values": [{"cats": {"\u{E9}": {"lives": int 0, "name": "e\u{301}"}}, "dogs": []}]
      }
      """
    ),
  ]

private func spelledOnce(_ law: String, _ example: String) -> CoderDivergence {
  CoderDivergence(
    law: law,
    twoSpellings: true,
    reason:
      "a binary property list stores strings that `==` holds to be equal once, as the first is spelled",
    example: example
  )
}
