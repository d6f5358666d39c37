package import Mutants
package import PropertyEngine

/// Draws mutants of all that there are.
///
/// From each module as many, so that a small one is judged as well as a large one; the score weighs
/// them. Within a module places are drawn, and at each place one of its mutants. Same list, number and
/// seed: the same sample.
package func mutantSample(
  of all: [SourceMutant],
  count: Int,
  seed: Seed
) -> [SourceMutant] {
  let modules = Dictionary(grouping: all, by: \.module).sorted { $0.key < $1.key }
  var open = min(count, all.count)
  return modules.enumerated().flatMap { index, module in
    let left = modules.count - index
    // What is open is divided by what is left, so that all shares together are exactly the number.
    let share = (open + left - 1) / left
    let drawn = sample(of: module.value, count: share, seed: seed.stream(UInt64(index)))
    open -= drawn.count
    return drawn
  }
}

private func sample(of mutants: [SourceMutant], count: Int, seed: Seed) -> [SourceMutant] {
  struct Place: Hashable {
    let file: String
    let line: Int
    let column: Int
  }
  let places = Dictionary(grouping: mutants) {
    Place(file: $0.file, line: $0.line, column: $0.column)
  }
  var rest = places.sorted {
    ($0.key.file, $0.key.line, $0.key.column) < ($1.key.file, $1.key.line, $1.key.column)
  }
  .map { place in
    place.value.sorted { ($0.operator.rawValue, $0.wrong) < ($1.operator.rawValue, $1.wrong) }
  }
  var choices = Choices(seed: seed)
  var result: [SourceMutant] = []
  while result.count < count, !rest.isEmpty {
    rest.swapAt(choices.index(below: rest.count), rest.count - 1)
    guard let place = rest.popLast() else { break }
    result.append(place[choices.index(below: place.count)])
  }
  return result.sorted { ($0.file, $0.offset, $0.id) < ($1.file, $1.offset, $1.id) }
}
