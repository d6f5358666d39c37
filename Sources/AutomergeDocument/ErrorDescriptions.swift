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

extension CodingKeyLookupError: CustomStringConvertible {
  public var description: String { errorDescription ?? "" }
}

extension BooleanScalarConversionError: CustomStringConvertible {
  public var description: String { errorDescription ?? "" }
}

extension StringScalarConversionError: CustomStringConvertible {
  public var description: String { errorDescription ?? "" }
}

extension URLScalarConversionError: CustomStringConvertible {
  public var description: String { errorDescription ?? "" }
}

extension BytesScalarConversionError: CustomStringConvertible {
  public var description: String { errorDescription ?? "" }
}

extension TimestampScalarConversionError: CustomStringConvertible {
  public var description: String { errorDescription ?? "" }
}

extension UIntScalarConversionError: CustomStringConvertible {
  public var description: String { errorDescription ?? "" }
}

extension IntScalarConversionError: CustomStringConvertible {
  public var description: String { errorDescription ?? "" }
}

extension FloatingPointScalarConversionError: CustomStringConvertible {
  public var description: String { errorDescription ?? "" }
}
