import CodingSupport
import ModelGeneration
import PropertyEngine

// Values of one model that have much in common, values at the boundaries of sizes, and places of values.

extension Model {
  /// The tree of a drawn value; one in 64 holds a list, a map or a string of a boundary's length, and four one of 8 to 40.
  ///
  /// Boundaries are rare on purpose: such samples are long, and slow to judge.
  ///
  /// 63, the greatest, stands for long ones: shrinking moves to 0 and so to a short value.
  func anyTree(_ choices: inout Choices) throws -> Tree {
    let tree = try tree(&choices)
    let size = choices.number(in: 0...63)
    guard size > 58 else { return tree }
    return choices.span("stretch") { choices in
      tree.stretched(&choices, isModest: size < 63) { accepted($0) }
    }
  }

  /// The tree of another value: any, or as often one that is the given one but for a few places.
  ///
  /// Two drawn values have little in common; what goes wrong between an encode and the next mostly
  /// needs two that are nearly equal.
  ///
  /// Related values differ in two places on average, in six at most; a part of the other value may
  /// take the place of what stands there. What the model refuses is not changed.
  func tree(near tree: Tree, _ choices: inout Choices) throws -> Tree {
    let other = try self.tree(&choices)
    guard choices.flag(percent: 60) else { return other }
    return choices.span("related") { choices in
      tree.mutated(&choices, upTo: 6, averaging: 2, donor: other) { accepted($0) }
    }
  }

  /// The tree of the value that a tree stands for; `nil` if the model refuses it, or makes nothing of it that
  /// comes back.
  ///
  /// The tree that is given may differ from the one that was asked for: a property wrapper or a
  /// hand-written `init(from:)` changes a value. Laws that need the very tree compare the two.
  func accepted(_ tree: Tree) -> Tree? {
    guard let value = try? value(of: tree), let found = try? TreeRecorder.tree(of: value),
      (try? self.value(of: found)) != nil
    else { return nil }
    return found
  }
}

extension Tree {
  /// One of some places, and what stands there; `nil` if there is none.
  ///
  /// The kinds are drawn first, so that what models have few of is met as often.
  func drawnPlace(
    among places: [[PathKey]],
    _ choices: inout Choices
  ) -> (path: [PathKey], tree: Tree)? {
    let kinds = Kind.allCases.filter { kind in places.contains { self[$0]?.kind == kind } }
    guard !kinds.isEmpty else { return nil }
    let kind = choices.element(of: kinds)
    let path = choices.element(of: places.filter { self[$0]?.kind == kind })
    return self[path].map { (path, $0) }
  }
}

extension Tree.Kind {
  /// Whether another value takes the place of one in a single operation: of a scalar that is no counter.
  var isWrittenWhole: Bool { isScalar && self != .counter }
}

extension CodingLaw {
  /// Draws `count` values, and `numbers` decisions of at most 255.
  ///
  /// Three of five values after the first are near copies of the value before them, and not of the
  /// first, so that several encodes in a row wander.
  static func relatedValues(
    _ count: Int,
    numbers: Int = 0
  ) -> @Sendable (Model, inout CodingSample, inout Choices) throws -> Void {
    { model, sample, choices in
      sample.values.append(try model.anyTree(&choices))
      while sample.values.count < count, let last = sample.values.last {
        sample.values.append(try model.tree(near: last, &choices))
      }
      for _ in 0..<numbers { sample.numbers.append(choices.number(in: 0...255)) }
    }
  }
}
