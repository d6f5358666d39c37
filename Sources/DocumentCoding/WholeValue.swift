/// A value whose parts mean something together alone, so that a merge takes all of one writer's.
///
/// The fields of a struct merge one by one: where one writer moved the start of a booking and another its end,
/// the merged booking has both, and may end before it starts. Of a type that conforms, an encode writes the
/// whole value anew where a field differs, and so a merge keeps what one of the writers wrote:
///
///     struct Booking: Codable, WholeValue { var start: Int; var end: Int }
///
///     stored 1 to 9      A writes 7 to 9      B writes 1 to 3      merged: 7 to 9, or 1 to 3
///     without it                                                   merged: 7 to 3
///
/// What is stored has the same form as without the conformance, so that older versions of an app read it. Texts
/// and counters within it are replaced, too, where it differs: keep them out of such a type. It has no unknown keys
/// (``UnknownKeys``), and ``SchemaStrategy/readonly`` writes its fields in place, as it makes no object. The root
/// of a document cannot be replaced: there the type merges as any other.
///
/// A wrapper that encodes such a value does so through a single-value container. One that calls its `encode(to:)` with
/// its own encoder hides the conformance, and the fields merge one by one.
///
/// Types of the standard library and Foundation need no conformance: ranges, SIMD vectors, `Decimal`, `DateInterval`,
/// `DateComponents`, `Measurement`, `Duration`, `CGRect` and others are written as wholes.
public protocol WholeValue: Encodable {}
