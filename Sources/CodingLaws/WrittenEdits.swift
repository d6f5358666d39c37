import CodingSupport
import ModelGeneration
import PropertyEngine

// What a model's own `encode(to:)` makes of values that laws edit. A type may leave out a default, write one
// property by what another holds, or name other keys for another case: none of that is the coder's doing, so that
// laws expect what is written of an edit and not the edited tree.
//
//     struct Item: `billable` is written unless it is true, and read as true where it is missing
//     edited     {"cents": 5, "billable": true}
//     written    {"cents": 5}                      what a document must hold

extension CodingTrial {
  /// The value of an edited tree, and the tree that its own `encode(to:)` writes.
  ///
  /// - Parameters:
  ///   - tree: The tree after the edit.
  ///   - path: The place of the edit; everywhere else both trees are the same.
  /// - Returns: A fresh value, and its tree.
  /// - Throws: `Skipped` if the model refuses the tree, or the edit of one place changes what is written at another.
  func written(_ tree: Tree, editedAt path: [PathKey]) throws -> (value: any Codable, tree: Tree) {
    guard let written = model.accepted(tree), let value = value(of: tree) else {
      throw Skipped("the model refuses it")
    }
    guard written.replacing(path, with: nil) == tree.replacing(path, with: nil) else {
      throw Skipped("the model writes another place by what the edited one holds")
    }
    return (value, written)
  }

  /// The places of a value whose parts the coder writes anew together, as a range's ends; outer ones first.
  func wholes(of value: any Encodable) throws -> [[PathKey]] {
    final class Places {
      var paths: [[PathKey]] = []

      /// A wrapper may have called `encode(to:)` of such a value: then its keys alone tell.
      func note(_ recorded: Recorded, at path: [PathKey], _ subject: any CoderSubject) {
        switch recorded {
        case .leaf, .spelled, .keyedNil, .reference: break
        case .list(let elements), .set(let elements):
          for (index, element) in elements.enumerated() {
            note(element, at: path + [.index(index)], subject)
          }
        case .map(let map):
          if let type = map.standardType, subject.isWhole(type), !paths.contains(path) {
            paths.append(path)
          }
          for entry in map.entries { note(entry.value, at: path + [.key(entry.key)], subject) }
        }
      }
    }
    let places = Places()
    var recorder = TreeRecorder()
    recorder.intercept = { value, path in
      if subject.isWhole(Swift.type(of: value)) { places.paths.append(path.keys) }
      return nil
    }
    places.note(try recorder.record(value), at: [], subject)
    return places.paths
  }

  /// A key of a document that the type reads without having named it when it wrote a value there.
  ///
  /// `.preserve` keeps such a key, which the coder cannot tell from one of another version.
  func unnamedKeyThatIsRead(in document: Tree, over value: Recorded) -> [PathKey]? {
    var found: [PathKey]?
    var decoder = TreeDecoder()
    decoder.willRead = { read in
      let path = read.keys
      guard found == nil, document[path] != nil, let step = path.last,
        case .map(let map)? = value[path.dropLast()], map.owner == .type
      else { return }
      if !map.names.contains(step.stringValue) { found = path }
    }
    // A refusal comes after the key that it is about was asked for.
    _ = outcome { try decoder.decode(self.type, from: document) }
    return found
  }
}

extension RecordedMap {
  /// Keys that were written, or named as `nil`.
  fileprivate var names: Set<String> { Set(entries.map(\.key) + absentKeys) }
}

extension Recorded {
  fileprivate subscript(path: some Collection<PathKey>) -> Recorded? {
    guard let step = path.first else { return self }
    let rest = path.dropFirst()
    switch (self, step) {
    case (.map(let map), .key(let key)):
      return map.entries.first { $0.key.utf8.elementsEqual(key.utf8) }?.value[rest]
    case (.list(let elements), .index(let index)), (.set(let elements), .index(let index)):
      return elements.indices.contains(index) ? elements[index][rest] : nil
    default: return nil
    }
  }

  /// Whether structs of two values name the same keys, even if elements or entries took the places of others.
  func namesSameKeys(as other: Recorded) -> Bool {
    var names: [[String]: Set<String>] = [:]
    var isSame = true
    func look(_ recorded: Recorded, at place: [String]) {
      switch recorded {
      case .leaf, .spelled, .keyedNil, .reference: return
      case .list(let elements), .set(let elements):
        for element in elements { look(element, at: place + ["[]"]) }
      case .map(let map):
        if map.owner == .type {
          isSame = isSame && names[place, default: map.names] == map.names
          names[place] = map.names
        }
        for entry in map.entries {
          look(entry.value, at: place + [map.owner == .dictionary ? "[key]" : entry.key])
        }
      }
    }
    look(self, at: [])
    look(other, at: [])
    return isSame
  }
}
