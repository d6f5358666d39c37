/// What the caller of an encode asks for; by itself nothing.
package struct RecordSettings: Hashable, Sendable {
  /// A nil property leaves its field alone.
  package var omitsNil = false
  /// Fields that the value does not name go.
  package var removesUnknown = false
  /// Dates keep every bit.
  package var keepsExactDates = false
  /// Unsigned integers of 64 bits are JSON.
  package var storesWideAsJSON = false
  /// Keys whose values the server is not to read.
  package var encryptedKeys: Set<String> = []

  package init() {}
}
