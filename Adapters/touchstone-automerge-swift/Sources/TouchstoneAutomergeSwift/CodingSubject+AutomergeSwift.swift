public import Touchstone

extension CodingSubject {
  /// The `AutomergeEncoder` and `AutomergeDecoder` of automerge-swift, on its own documents.
  ///
  /// Models may hold automerge-swift's `AutomergeText` and `Counter`. What release 0.6.1 is known to
  /// do otherwise is listed in `divergences.json`, and no failure.
  public static let automergeSwift = CodingSubject(AutomergeSwiftCoder())
}
