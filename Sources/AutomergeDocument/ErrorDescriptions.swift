import Foundation

// What an error says where it is printed. `localizedDescription` has the words of automerge-swift; a test that
// fails shows `"\(error)"`, which without these is the name of a case.

extension PathParseError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .InvalidPathElement(let step):
      "The step \(step.debugDescription) of a path is neither an index in brackets nor a key that begins with an ASCII letter."
    case .EmptyListIndex(let step):
      "The step \(step.debugDescription) of a path has no index in its brackets."
    }
  }
}

/// An error whose description is its `errorDescription`.
protocol DescribedError: LocalizedError, CustomStringConvertible {}

extension DescribedError {
  public var description: String { errorDescription ?? "" }
}

extension CodingKeyLookupError: DescribedError {}
extension BooleanScalarConversionError: DescribedError {}
extension StringScalarConversionError: DescribedError {}
extension URLScalarConversionError: DescribedError {}
extension BytesScalarConversionError: DescribedError {}
extension TimestampScalarConversionError: DescribedError {}
extension UIntScalarConversionError: DescribedError {}
extension IntScalarConversionError: DescribedError {}
extension FloatingPointScalarConversionError: DescribedError {}
