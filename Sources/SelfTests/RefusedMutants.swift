import Mutants

/// Finds the mutants that the compiler's errors are about.
struct RefusedMutants {
  private let sample: [SourceMutant]
  /// The text of each file with the choices in it.
  private let texts: [String: ChoiceText]

  init(_ sample: [SourceMutant], _ texts: [String: ChoiceText]) {
    self.sample = sample
    self.texts = texts
  }

  /// The positions of mutants to take out: for each error the smallest choice around its place; where
  /// there is none, as for a variable that is left without a value, all of the same function; where
  /// there is none either, all of the file.
  func positions(of errors: [CompilerError], among positions: [Int]) -> Set<Int> {
    var result: Set<Int> = []
    for (file, text) in texts {
      let own = positions.filter { sample[$0].file == file }
      // A module may be made of another's sources through a link.
      let path = "/\(SourcePath(file).withinSources)"
      for error in errors where error.file.hasSuffix(path) {
        result.formUnion(refused(by: error, own, text))
      }
    }
    return result
  }

  private func refused(by error: CompilerError, _ own: [Int], _ text: ChoiceText) -> [Int] {
    guard let offset = Self.offset(of: error, in: text.text) else { return own }
    let places = own.compactMap { position in
      text.places[UInt64(position + 1)].map { (position: position, range: $0) }
    }
    let around = places.filter { $0.range.lowerBound <= offset && offset < $0.range.upperBound }
    if let smallest = around.min(by: { $0.range.count < $1.range.count }) {
      return [smallest.position]
    }
    // Where the place was before choices stood in front of it.
    let growth = places.filter { $0.range.upperBound <= offset }
      .filter { place in
        !places.contains { other in
          other.range != place.range && other.range.lowerBound <= place.range.lowerBound
            && place.range.upperBound <= other.range.upperBound
        }
      }
      .reduce(0) { $0 + $1.range.count - sample[$1.position].length }
    let original = offset - growth
    let near = own.filter {
      let scope = sample[$0].scope
      return scope.lowerBound <= original && original <= scope.upperBound
    }
    return near.isEmpty ? own : near
  }

  /// The UTF-8 offset of an error's place; `nil` if the text has no such line.
  private static func offset(of error: CompilerError, in text: String) -> Int? {
    var line = 1
    for (offset, byte) in text.utf8.enumerated() {
      if line == error.line { return offset + error.column - 1 }
      if byte == UInt8(ascii: "\n") { line += 1 }
    }
    return nil
  }
}
