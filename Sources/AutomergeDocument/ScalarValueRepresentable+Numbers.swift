public import Foundation

// How numbers are read and written by hand; the coders have rules of their own (`ReadingSession`).
//
//     type                       written as   read from
//     Int, Int8 ... Int64        Int          Int alone, where it fits
//     UInt, UInt8 ... UInt64     Uint         Uint alone, where it fits
//     Double                     F64          F64 alone
//     Float                      F64          F64 alone, to the nearest
//
// `UInt` has an error of its own, the other unsigned types share that of `Int`.

/// The scalar is no unsigned integer, or too large for the type.
public enum UIntScalarConversionError: LocalizedError, Hashable, Sendable {
  case notUIntScalarValue(_ val: ScalarValue)

  public var errorDescription: String? {
    switch self {
    case .notUIntScalarValue(let val): refusal(val, "UInt")
    }
  }
}

/// The scalar is no integer of the type's sign, or too large for the type.
public enum IntScalarConversionError: LocalizedError, Hashable, Sendable {
  case notIntScalarValue(_ val: ScalarValue)

  public var errorDescription: String? {
    switch self {
    case .notIntScalarValue(let val): refusal(val, "Int")
    }
  }
}

/// The scalar is no floating-point number.
public enum FloatingPointScalarConversionError: LocalizedError, Hashable, Sendable {
  case notF64ScalarValue(_ val: ScalarValue)

  public var errorDescription: String? {
    switch self {
    case .notF64ScalarValue(let val): refusal(val, "Double")
    }
  }
}

extension UInt: ScalarValueRepresentable {
  public static func fromScalarValue(
    _ val: ScalarValue
  ) -> Result<UInt, UIntScalarConversionError> {
    if case .Uint(let value) = val, let exact = UInt(exactly: value) { return .success(exact) }
    return .failure(.notUIntScalarValue(val))
  }

  public func toScalarValue() -> ScalarValue { .Uint(UInt64(self)) }
}

extension ScalarValueRepresentable
where Self: FixedWidthInteger & UnsignedInteger, ConvertError == IntScalarConversionError {
  public static func fromScalarValue(_ val: ScalarValue) -> Result<Self, ConvertError> {
    if case .Uint(let value) = val, let exact = Self(exactly: value) { return .success(exact) }
    return .failure(.notIntScalarValue(val))
  }

  public func toScalarValue() -> ScalarValue { .Uint(UInt64(self)) }
}

extension ScalarValueRepresentable
where Self: FixedWidthInteger & SignedInteger, ConvertError == IntScalarConversionError {
  public static func fromScalarValue(_ val: ScalarValue) -> Result<Self, ConvertError> {
    if case .Int(let value) = val, let exact = Self(exactly: value) { return .success(exact) }
    return .failure(.notIntScalarValue(val))
  }

  public func toScalarValue() -> ScalarValue { .Int(Int64(self)) }
}

extension UInt8: ScalarValueRepresentable {
  public typealias ConvertError = IntScalarConversionError
}

extension UInt16: ScalarValueRepresentable {
  public typealias ConvertError = IntScalarConversionError
}

extension UInt32: ScalarValueRepresentable {
  public typealias ConvertError = IntScalarConversionError
}

extension UInt64: ScalarValueRepresentable {
  public typealias ConvertError = IntScalarConversionError
}

extension Int: ScalarValueRepresentable {
  public typealias ConvertError = IntScalarConversionError
}

extension Int8: ScalarValueRepresentable {
  public typealias ConvertError = IntScalarConversionError
}

extension Int16: ScalarValueRepresentable {
  public typealias ConvertError = IntScalarConversionError
}

extension Int32: ScalarValueRepresentable {
  public typealias ConvertError = IntScalarConversionError
}

extension Int64: ScalarValueRepresentable {
  public typealias ConvertError = IntScalarConversionError
}

extension Double: ScalarValueRepresentable {
  public static func fromScalarValue(
    _ val: ScalarValue
  ) -> Result<Double, FloatingPointScalarConversionError> {
    if case .F64(let value) = val { return .success(value) }
    return .failure(.notF64ScalarValue(val))
  }

  public func toScalarValue() -> ScalarValue { .F64(self) }
}

extension Float: ScalarValueRepresentable {
  /// The nearest `Float`.
  public static func fromScalarValue(
    _ val: ScalarValue
  ) -> Result<Float, FloatingPointScalarConversionError> {
    if case .F64(let value) = val { return .success(Float(value)) }
    return .failure(.notF64ScalarValue(val))
  }

  public func toScalarValue() -> ScalarValue { .F64(Double(self)) }
}
