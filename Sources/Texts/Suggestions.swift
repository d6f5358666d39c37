/// The names that a misspelt word most likely means, the closest first: at most three.
///
/// A name counts if no more than a third of it has to change (a letter put in, taken out, replaced,
/// or two neighbours swapped), or if it contains the word or one of its own parts is the word.
/// Names that are as close stand in alphabetical order.
package func suggestions(for word: String, among names: some Sequence<String>) -> [String] {
  let word = word.lowercased()
  guard !word.isEmpty, word.unicodeScalars.count <= 64 else { return [] }
  let ranked = Set(names).compactMap { name -> (distance: Int, name: String)? in
    let other = name.lowercased()
    let distance = editDistance(word, other)
    if distance * 3 <= max(3, other.unicodeScalars.count) { return (distance, name) }
    // Behind all that is merely misspelt.
    return word.count > 2 && other.contains(word) ? (64 + distance, name) : nil
  }
  return ranked.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map(\.name)
}

/// A question that ends a refusal, such as " Did you mean 'merge.commutes'?"; empty without a guess.
package func suggestion(for word: String, among names: some Sequence<String>) -> String {
  let found = suggestions(for: word, among: names).map { "'\($0)'" }
  guard let last = found.last else { return "" }
  let text = found.count == 1 ? last : found.dropLast().joined(separator: ", ") + " or " + last
  return " Did you mean \(text)?"
}

/// How many scalars have to change to make one of two words the other.
///
/// One is put in, taken out, replaced or swapped with its neighbour. Time and memory grow with the
/// product of the lengths.
func editDistance(_ left: String, _ right: String) -> Int {
  let (left, right) = (Array(left.unicodeScalars), Array(right.unicodeScalars))
  var rows = [Array(0...right.count)]
  for (i, scalar) in left.enumerated() {
    var row = [i + 1]
    for (j, other) in right.enumerated() {
      var best = min(rows[i][j + 1], row[j]) + 1
      best = min(best, rows[i][j] + (scalar == other ? 0 : 1))
      if i > 0, j > 0, scalar == right[j - 1], left[i - 1] == other {
        best = min(best, rows[i - 1][j - 1] + 1)
      }
      row.append(best)
    }
    rows.append(row)
  }
  return rows[left.count][right.count]
}
