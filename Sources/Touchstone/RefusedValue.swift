import ModelLaws

/// The model refuses the value of a stored case by now, so that what the case shows cannot happen any more.
///
/// This is one way to fix a model, which the advice of `model.encodes` names.
struct RefusedValue: Error {
  /// What the model says.
  let reason: String

  /// - Returns: `nil` if the value has another form than the type reads: it is of an earlier form of the type, and
  ///   nothing was fixed.
  init?(_ error: any Error) {
    switch error {
    case DecodingError.keyNotFound, DecodingError.valueNotFound, DecodingError.typeMismatch:
      return nil
    default: reason = explanation(ofCodingError: error)
    }
  }
}
