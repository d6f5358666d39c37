/// FNV-1a of 64 bits: the same number for the same bytes in every run, for names and numbers that stay.
///
/// Not safe against deliberate collisions.
///
/// Source: Fowler, Noll and Vo, the FNV hash, 1991.
package func stableHash(_ bytes: some Sequence<UInt8>) -> UInt64 {
  bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
}
