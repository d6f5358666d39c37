import Foundation

/// The SHA-256 digest of a text's UTF-8 bytes, as a content security policy writes it.
///
/// For tests only: simple, not fast. Source: FIPS 180-4, section 6.2.
package func policyHash(of text: String) -> String {
  "sha256-" + Data(sha256(Array(text.utf8))).base64EncodedString()
}

/// The digest, 32 bytes.
package func sha256(_ message: [UInt8]) -> [UInt8] {
  let primes = firstPrimes(64)
  let constants = primes.map { fraction(Double($0), root: 3) }
  var state = primes.prefix(8).map { fraction(Double($0), root: 2) }
  var bytes = message + [0x80]
  while bytes.count % 64 != 56 { bytes.append(0) }
  let bitCount = UInt64(message.count) * 8
  bytes += (0..<8).map { UInt8(truncatingIfNeeded: bitCount >> (56 - 8 * $0)) }
  for start in stride(from: 0, to: bytes.count, by: 64) {
    var words = (0..<16).map { index in
      bytes[(start + index * 4)..<(start + index * 4 + 4)].reduce(UInt32(0)) {
        $0 << 8 | UInt32($1)
      }
    }
    for index in 16..<64 {
      let (early, late) = (words[index - 15], words[index - 2])
      let first = rotated(early, 7) ^ rotated(early, 18) ^ (early >> 3)
      let second = rotated(late, 17) ^ rotated(late, 19) ^ (late >> 10)
      words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
    }
    var work = state
    for index in 0..<64 {
      let (a, b, c) = (work[0], work[1], work[2])
      let (e, f, g) = (work[4], work[5], work[6])
      let mixed = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
      let chosen = (e & f) ^ (~e & g)
      let first = work[7] &+ mixed &+ chosen &+ constants[index] &+ words[index]
      let second =
        (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ ((a & b) ^ (a & c) ^ (b & c))
      work = [first &+ second, a, b, c, work[3] &+ first, e, f, g]
    }
    state = zip(state, work).map { $0 &+ $1 }
  }
  return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
}

private func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
  word >> count | word << (32 - count)
}

private func firstPrimes(_ count: Int) -> [Int] {
  var primes: [Int] = []
  var candidate = 2
  while primes.count < count {
    if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
    candidate += 1
  }
  return primes
}

/// The first 32 bits of the fraction of a number's square or cube root.
private func fraction(_ number: Double, root: Int) -> UInt32 {
  let value = root == 2 ? number.squareRoot() : cbrt(number)
  return UInt32((value - value.rounded(.down)) * 4_294_967_296)
}
