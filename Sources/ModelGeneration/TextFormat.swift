/// Formats that an `init(from:)` often demands of a string, and refuses all others.
///
/// A model that reads a date by a formatter would otherwise need words from its user.
enum TextFormat {
  /// Words by format, what is most frequent first; the first word of each is the simplest.
  static let all: [[String]] = [
    // Dates and times, RFC 3339: without and with fractions of a second.
    [
      "2001-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "1969-12-31T23:59:59Z",
      "2024-02-29T12:30:59Z", "2038-01-19T03:14:08Z",
    ],
    [
      "2001-01-01T00:00:00.000Z", "2001-01-01T00:00:00.001Z", "1969-12-31T23:59:59.999Z",
      "2024-02-29T12:30:59.500Z", "2038-01-19T03:14:08.250Z",
    ],
    ["2001-01-01", "1970-01-01", "1969-12-31", "2024-02-29"],
    ["00:00", "23:59", "12:30"],
    [
      "00000000-0000-0000-0000-000000000000", "F47AC10B-58CC-4372-A567-0E02B2C3D479",
      "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
    ],
    ["0", "1", "-1", "42", "65535", "2147483648"],
    ["0", "0.5", "-1.25", "1000.01", "1e21"],
    ["https://example.com", "https://example.com/a?b=c#d", "file:///tmp/a%20b"],
    ["a@example.com", "first.last+tag@mail.example.com"],
    ["#000000", "#FF8800", "#ffffff"],
    ["false", "true"],
    ["1.0.0", "0.9.12", "2.10.3"],
    ["UTC", "Europe/Berlin", "America/New_York"],
    ["en", "en_US", "de_DE"],
    ["EUR", "USD", "JPY"],
    ["AAAA", "/+8=", "aGVsbG8="],
  ]
}
