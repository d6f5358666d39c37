import CodingLaws

// What Foundation's coders are known to do otherwise. Each entry has its paragraph in
// Documentation/Findings.md, "Foundation's coders".

let jsonDivergences: [CoderDivergence] = [
  CoderDivergence(
    law: "integers.out-of-range",
    kind: "complaint.differs",
    reason: "JSONDecoder refuses a number that does not fit without saying where it stands"
  ),
  CoderDivergence(
    law: "drift.typed",
    kind: "complaint.untyped",
    reason: "JSONDecoder refuses a number that does not fit without saying where it stands"
  ),
]

let propertyListDivergences: [CoderDivergence] = []
