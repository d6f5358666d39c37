/// The number in groups of three digits: `12,000`.
package func grouped(_ number: Int) -> String {
  let digits = String(number.magnitude)
  var result = number < 0 ? "-" : ""
  for (index, digit) in digits.enumerated() {
    if index > 0, (digits.count - index).isMultiple(of: 3) { result += "," }
    result.append(digit)
  }
  return result
}

/// The number with its noun: `1 law`, `12,000 cases`.
package func counted(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
  "\(grouped(number)) \(number == 1 ? noun : plural ?? noun + "s")"
}

/// A duration or rate with at most `digits` decimals, rounded; whole from 1000 on.
package func decimal(_ value: Double, digits: Int = 1) -> String {
  guard value.magnitude < 1e15 else { return value.description }
  guard value.magnitude < 1000, digits > 0 else { return grouped(Int(value.rounded())) }
  let scale = (0..<min(digits, 6)).reduce(1) { scale, _ in scale * 10 }
  let scaled = Int((value * Double(scale)).rounded())
  let fraction = String(scaled.magnitude % UInt(scale))
  let zeros = String(repeating: "0", count: max(0, digits - fraction.count))
  return "\(scaled < 0 ? "-" : "")\(scaled.magnitude / UInt(scale)).\(zeros)\(fraction)"
}
