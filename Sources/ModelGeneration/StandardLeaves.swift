import CodingSupport
package import Foundation
package import PropertyEngine

/// Generators of types whose own `init(from:)` gives poor values, refuses all, or traps.
///
/// Simplest first, as everywhere: the start of 2001, no bytes, UTC.
package enum StandardLeaves {
  static var all: [ObjectIdentifier: LeafGenerator] {
    [
      ObjectIdentifier(Date.self): { date(&$0) },
      ObjectIdentifier(DateInterval.self): { choices in
        DateInterval(start: date(&choices), duration: Double(choices.number(in: 0...100_000)))
      },
      ObjectIdentifier(Data.self): { data(&$0) },
      ObjectIdentifier(URL.self): { url(&$0) },
      ObjectIdentifier(URLComponents.self): { choices in
        let url = url(&choices)
        // Foundation encodes the components of "urn:x:y" so that they come back as "urn:x%3Ay".
        return URLComponents(url: url, resolvingAgainstBaseURL: false).flatMap { components in
          url.scheme == "urn" ? nil : components
        } ?? URLComponents()
      },
      ObjectIdentifier(UUID.self): { uuid(&$0) },
      ObjectIdentifier(Decimal.self): { decimal(&$0) },
      ObjectIdentifier(TimeZone.self): { choices in
        TimeZone(secondsFromGMT: choices.number(in: 0...26) * 1800) ?? .gmt
      },
      ObjectIdentifier(Locale.self): { choices in
        Locale(identifier: choices.element(of: ["en_US", "de_DE", "ja_JP", "ar_EG", "tr_TR", "C"]))
      },
      ObjectIdentifier(Locale.Collation.self): { choices in
        let name = choices.element(of: ["standard", "phonebook", "Search"])
        // Foundation decodes a collation to one that does not equal what its `init` makes, and comes back itself.
        return (try? TreeDecoder().decode(Locale.Collation.self, from: .string(name)))
          ?? Locale.Collation(name)
      },
      ObjectIdentifier(Locale.Currency.self): { choices in
        Locale.Currency(choices.element(of: ["EUR", "USD", "JPY", "usd", "XXX"]))
      },
      ObjectIdentifier(Locale.LanguageCode.self): { choices in
        Locale.LanguageCode(choices.element(of: ["en", "de", "JA", "haw", "und"]))
      },
      ObjectIdentifier(Locale.MeasurementSystem.self): { choices in
        Locale.MeasurementSystem(choices.element(of: ["metric", "ussystem", "uksystem"]))
      },
      ObjectIdentifier(Locale.NumberingSystem.self): { choices in
        Locale.NumberingSystem(choices.element(of: ["latn", "arab", "Deva"]))
      },
      ObjectIdentifier(Locale.Region.self): { choices in
        Locale.Region(choices.element(of: ["US", "DE", "jp", "419", "001"]))
      },
      ObjectIdentifier(Locale.Script.self): { choices in
        Locale.Script(choices.element(of: ["Latn", "arab", "Hant"]))
      },
      ObjectIdentifier(Locale.Subdivision.self): { choices in
        Locale.Subdivision(choices.element(of: ["usca", "gbsct", "DEBY"]))
      },
      ObjectIdentifier(Locale.Variant.self): { choices in
        Locale.Variant(choices.element(of: ["posix", "1996", "SCOTLAND"]))
      },
      ObjectIdentifier(Calendar.self): { choices in
        Calendar(identifier: choices.element(of: [.gregorian, .iso8601, .hebrew, .buddhist]))
      },
      ObjectIdentifier(IndexSet.self): { choices in
        var set = IndexSet()
        choices.repeated(upTo: 5, averaging: 2, "range") { choices in
          let start = choices.number(in: 0...1000)
          set.insert(integersIn: start..<(start + choices.number(in: 1...10)))
        }
        return set
      },
      ObjectIdentifier(CharacterSet.self): { choices in
        CharacterSet(charactersIn: String.draw(&choices))
      },
    ]
  }

  /// The types among them that read themselves by keys of their own, by these keys.
  ///
  /// `Date`, `Data`, `URL` and `UUID` are not: trees have leaves for them.
  static let typesByKeys: [ObjectIdentifier: any (Decodable & SendableMetatype).Type] = {
    let types: [any (Decodable & SendableMetatype).Type] = [
      Calendar.self, CharacterSet.self, DateInterval.self, Decimal.self, IndexSet.self,
      Locale.self, Locale.Collation.self, Locale.Currency.self, Locale.LanguageCode.self,
      Locale.MeasurementSystem.self, Locale.NumberingSystem.self, Locale.Region.self,
      Locale.Script.self, Locale.Subdivision.self, Locale.Variant.self, TimeZone.self,
      URLComponents.self,
    ]
    let known = types.compactMap { type in KeyProbe.keys(of: type).map { ($0, type) } }
    return Dictionary(known, uniquingKeysWith: { first, _ in first })
  }()

  /// Whole seconds around 2001 and 1970, milliseconds, fractions, far past and future.
  ///
  /// Whole days are never drawn at random; they are there for shrinking to find.
  static func date(_ choices: inout Choices) -> Date {
    let since2001 = 978_307_200.0
    switch choices.pick(weights: [4, 0, 4, 4, 3, 2]) {
    case 0: return Date(timeIntervalSinceReferenceDate: Double(Int16.draw(&choices)))
    case 1:
      let days = Int32.zigzag(UInt64(choices.choice(upTo: 65_535)))
      return Date(timeIntervalSinceReferenceDate: Double(days) * 86_400)
    case 2: return Date(timeIntervalSinceReferenceDate: Double(Int32.draw(&choices)) / 1000)
    case 3:
      let near1970 = Double(Int16.draw(&choices)) / 1000
      return Date(timeIntervalSinceReferenceDate: near1970 - since2001)
    case 4:
      let seconds = choices.number(in: 0...Int(UInt32.max)) - Int(UInt32.max) / 2
      let fraction = Double(choices.choice(upTo: .max)) / 4_294_967_296
      return Date(timeIntervalSinceReferenceDate: Double(seconds) + fraction)
    default:
      let edges: [Date] = [
        .distantPast, .distantFuture, Date(timeIntervalSince1970: 0),
        Date(timeIntervalSince1970: -0.001), Date(timeIntervalSince1970: -1),
        // Beside leap seconds, and where 32 bits of seconds end.
        Date(timeIntervalSince1970: 1_483_228_799.999), Date(timeIntervalSince1970: 1_483_228_800),
        Date(timeIntervalSince1970: 2_147_483_647.5), Date(timeIntervalSince1970: -2_147_483_648.5),
      ]
      return choices.element(of: edges)
    }
  }

  /// Any bytes; one time in eight such as another format begins with, or says all with.
  static func data(_ choices: inout Choices) -> Data {
    if choices.flag(percent: 12) {
      let texts = ["null", "true", "0", "[]", "{}", "\"\"", "bplist00", "\u{FEFF}", "MQ=="]
      return Data(choices.element(of: texts).utf8)
    }
    var bytes: [UInt8] = []
    choices.repeated(upTo: 24, averaging: 4, "byte") { choices in
      bytes.append(UInt8(choices.number(in: 0...255)))
    }
    return Data(bytes)
  }

  static func url(_ choices: inout Choices) -> URL {
    let texts = [
      "https://example.org", "https://example.org/a/b?c=d#e", "file:///tmp/a%20b", "a/b",
      "mailto:a@example.org", "https://example.org/%C3%A9", "http://[::1]:8080/", "urn:x:y",
    ]
    return URL(string: choices.element(of: texts)) ?? URL(fileURLWithPath: "/")
  }

  /// Any 128 bits; zeros are the simplest.
  package static func uuid(_ choices: inout Choices) -> UUID {
    let (high, low) = (choices.bits64(), choices.bits64())
    func byte(_ index: UInt64) -> UInt8 {
      let word = index < 8 ? high : low
      return UInt8(truncatingIfNeeded: word >> (56 - 8 * (index % 8)))
    }
    return UUID(
      uuid: (
        byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7),
        byte(8), byte(9), byte(10), byte(11), byte(12), byte(13), byte(14), byte(15)
      )
    )
  }

  static func decimal(_ choices: inout Choices) -> Decimal {
    let significand = Decimal(Int64.draw(&choices))
    let scale = choices.number(in: 0...12)
    return significand / pow(Decimal(10), scale)
  }
}
