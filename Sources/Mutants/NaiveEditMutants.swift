import DocumentModel
import NaiveModel

private enum SamePutWrites: Rules {
  static func isSkipped(put new: Scalar, over visible: [NaiveValue]) -> Bool { false }
}

/// To put the winner's value over a conflict is not without effect: it resolves the conflict.
private enum SamePutOverConflict: Rules {
  static func isSkipped(put new: Scalar, over visible: [NaiveValue]) -> Bool {
    guard case .set(let old)? = visible.last?.action else { return false }
    return AutomergeRules.isEqual(put: new, to: old)
  }
}

private enum SamePutOfAnyInteger: Rules {
  static func isEqual(put new: Scalar, to old: Scalar) -> Bool {
    switch (new, old) {
    case (.int(let new), .uint(let old)): new == old
    case (.uint(let new), .int(let old)): new == old
    default: AutomergeRules.isEqual(put: new, to: old)
    }
  }
}

/// Swift's `==` again, which takes composed and decomposed letters for the same.
private enum SamePutOfEquivalentStrings: Rules {
  static func isEqual(put new: Scalar, to old: Scalar) -> Bool {
    guard case (.string(let new), .string(let old)) = (new, old) else {
      return AutomergeRules.isEqual(put: new, to: old)
    }
    return new.string == old.string
  }
}

/// A comparison of bytes, where IEEE's has -0.0 equal to 0.0 and NaN equal to nothing.
private enum SamePutByBits: Rules {
  static func isEqual(put new: Scalar, to old: Scalar) -> Bool { new == old }
}

private enum SamePutOfKind: Rules {
  static func isEqual(put new: Scalar, to old: Scalar) -> Bool {
    if case (.boolean, .boolean) = (new, old) { return true }
    return AutomergeRules.isEqual(put: new, to: old)
  }
}

/// Off by one, and only where the range ends with the list.
private enum LastElementKept: Rules {
  static func deleted(_ spans: [Range<Int>], in range: Range<Int>) -> [Int] {
    let deleted = AutomergeRules.deleted(spans, in: range)
    return deleted.count > 1 && deleted.last == spans.indices.last ? deleted.dropLast() : deleted
  }
}

private enum ShiftedInsertion: Rules {
  static func insertionIndex(start: Int, deletedUnits: Int) -> Int { start + deletedUnits }
}

private enum SplicePastTheEnd: Rules {
  static func spliceStart(_ index: Int, length: Int) -> Int? {
    index < 0 ? nil : min(index, length)
  }
}

private enum NegativeDeleteFromTheFront: Rules {
  static func spliceStart(_ index: Int, length: Int) -> Int? {
    index > length ? nil : max(0, index)
  }
}

/// The ids of all later operations move: other replicas agree, and the same calls elsewhere give
/// another file.
private enum RefusalTakesNumber: Rules {
  static func numbersTaken(byRefusals refusals: Int, rollbacks: Int) -> Int { refusals }
}

private enum RollbackTakesNumber: Rules {
  static func numbersTaken(byRefusals refusals: Int, rollbacks: Int) -> Int { rollbacks }
}

/// Edits on one device: what is refused, what is no change, and what a splice does at its ends.
///
/// A wrong one here is not seen in any merge, since all replicas agree about the wrong operation;
/// that is why the effects and ids of calls are compared with the specification.
let editMutants = [
  NaiveMutant(
    "splice-past-the-end",
    SplicePastTheEnd.self,
    "A splice behind the end of a list or text goes to its end instead of being refused."
  ),
  NaiveMutant(
    "negative-delete-from-the-front",
    NegativeDeleteFromTheFront.self,
    "Deleting more before an index than there is begins at the front instead of being refused."
  ),
  NaiveMutant(
    "refusal-takes-number",
    RefusalTakesNumber.self,
    "A refused call uses up the number of an operation."
  ),
  NaiveMutant(
    "rollback-takes-number",
    RollbackTakesNumber.self,
    "What is rolled back uses up the number of an operation."
  ),
  NaiveMutant(
    "same-put-writes",
    SamePutWrites.self,
    "A put of the value that is already there makes an operation."
  ),
  NaiveMutant(
    "same-put-over-conflict",
    SamePutOverConflict.self,
    "A put of the winner's value over a conflict makes no operation: the losers stay."
  ),
  NaiveMutant(
    "same-put-of-any-integer",
    SamePutOfAnyInteger.self,
    "A put of uint 1 over int 1 is taken for the same value."
  ),
  NaiveMutant(
    "same-put-of-equivalent-strings",
    SamePutOfEquivalentStrings.self,
    "A put of a canonically equivalent string is taken for the same value."
  ),
  NaiveMutant(
    "same-put-by-bits",
    SamePutByBits.self,
    "Floats are compared by their bits: -0.0 over 0.0 makes an operation, NaN over NaN none."
  ),
  NaiveMutant(
    "same-put-of-any-boolean",
    SamePutOfKind.self,
    "A put of a boolean over a boolean makes no operation, even if it differs."
  ),
  NaiveMutant(
    "splice-keeps-last-element",
    LastElementKept.self,
    "A splice that deletes to the end leaves the last element."
  ),
  NaiveMutant(
    "splice-insertion-shifted",
    ShiftedInsertion.self,
    "A splice inserts at its index plus the number of deleted units."
  ),
]
