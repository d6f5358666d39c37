public import Foundation

/// A type that a scalar of a document can hold.
///
/// Conversion is strict: an `Int` is read from `Int` alone, not from `Uint` or `F64`. The coders do
/// not ask this protocol; it serves reading and writing scalars by hand.
///
///     Bool     Boolean          String   String          URL    String, as `absoluteString`
///     Data     Bytes            Date     Timestamp       numbers: in a file of their own
///
/// Refusals are returned and not thrown, each in its type's own error, as automerge-swift has them.
public protocol ScalarValueRepresentable {
  /// Why a scalar is not of this type.
  associatedtype ConvertError: LocalizedError

  /// The value in a scalar, or why there is none.
  static func fromScalarValue(_ val: ScalarValue) -> Result<Self, ConvertError>

  /// The value as a scalar.
  func toScalarValue() -> ScalarValue
}

/// Never happens: every scalar is a scalar.
public enum ScalarValueConversionError: LocalizedError, Hashable, Sendable {}

extension ScalarValue: ScalarValueRepresentable {
  public static func fromScalarValue(
    _ val: ScalarValue
  ) -> Result<ScalarValue, ScalarValueConversionError> {
    .success(val)
  }

  public func toScalarValue() -> ScalarValue { self }
}

/// The scalar is no Boolean.
public enum BooleanScalarConversionError: LocalizedError, Hashable, Sendable {
  case notboolScalarValue(_ val: ScalarValue)

  public var errorDescription: String? {
    switch self {
    case .notboolScalarValue(let val): refusal(val, "boolean")
    }
  }
}

extension Bool: ScalarValueRepresentable {
  public static func fromScalarValue(
    _ val: ScalarValue
  ) -> Result<Bool, BooleanScalarConversionError> {
    if case .Boolean(let value) = val { return .success(value) }
    return .failure(.notboolScalarValue(val))
  }

  public func toScalarValue() -> ScalarValue { .Boolean(self) }
}

/// The scalar is no string.
public enum StringScalarConversionError: LocalizedError, Hashable, Sendable {
  case notstringScalarValue(_ val: ScalarValue)

  public var errorDescription: String? {
    switch self {
    case .notstringScalarValue(let val): refusal(val, "String")
    }
  }
}

extension String: ScalarValueRepresentable {
  public static func fromScalarValue(
    _ val: ScalarValue
  ) -> Result<String, StringScalarConversionError> {
    if case .String(let value) = val { return .success(value) }
    return .failure(.notstringScalarValue(val))
  }

  public func toScalarValue() -> ScalarValue { .String(self) }
}

/// The scalar is no string, or its text no URL.
public enum URLScalarConversionError: LocalizedError, Hashable, Sendable {
  case notStringScalarValue(_ val: ScalarValue)
  case notMatchingURLScheme(String)

  public var errorDescription: String? {
    switch self {
    case .notStringScalarValue(let val): refusal(val, "URL")
    case .notMatchingURLScheme(let text): "Failed to read the string \(text) as a URL."
    }
  }
}

extension URL: ScalarValueRepresentable {
  public static func fromScalarValue(
    _ val: ScalarValue
  ) -> Result<URL, URLScalarConversionError> {
    guard case .String(let text) = val else { return .failure(.notStringScalarValue(val)) }
    guard let url = URL(string: text) else { return .failure(.notMatchingURLScheme(text)) }
    return .success(url)
  }

  public func toScalarValue() -> ScalarValue { .String(absoluteString) }
}

/// The scalar is no bytes.
public enum BytesScalarConversionError: LocalizedError, Hashable, Sendable {
  case notbytesScalarValue(_ val: ScalarValue)

  public var errorDescription: String? {
    switch self {
    case .notbytesScalarValue(let val): refusal(val, "Data")
    }
  }
}

extension Data: ScalarValueRepresentable {
  public static func fromScalarValue(
    _ val: ScalarValue
  ) -> Result<Data, BytesScalarConversionError> {
    if case .Bytes(let value) = val { return .success(value) }
    return .failure(.notbytesScalarValue(val))
  }

  public func toScalarValue() -> ScalarValue { .Bytes(self) }
}

/// The scalar is no moment.
public enum TimestampScalarConversionError: LocalizedError, Hashable, Sendable {
  case notTimetampScalarValue(_ val: ScalarValue)

  public var errorDescription: String? {
    switch self {
    case .notTimetampScalarValue(let val): refusal(val, "Date")
    }
  }
}

extension Date: ScalarValueRepresentable {
  public static func fromScalarValue(
    _ val: ScalarValue
  ) -> Result<Date, TimestampScalarConversionError> {
    if case .Timestamp(let value) = val { return .success(value) }
    return .failure(.notTimetampScalarValue(val))
  }

  public func toScalarValue() -> ScalarValue { .Timestamp(self) }
}

/// How all refusals are worded.
func refusal(_ val: ScalarValue, _ type: String) -> String {
  "Failed to read the scalar value \(val) as a \(type)."
}
