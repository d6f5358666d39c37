import AutomergeDocument
import CodingSupport
import MergeEngine

/// Finds the place that a path from the root names, and makes what is missing on the way.
///
///     .notes.[2].body        root --notes--> list --2--> map --body--> a place: `.key(map, "body")`
///
/// The last step may name what is not there yet: a key, or the index behind a list's last element.
///
/// What happens to a step that finds the wrong thing or nothing, by strategy:
///
///                      nothing there      scalar or text        index beyond the length
///      readonly        SchemaMissing      PathExtends...        IndexOutOfBounds
///      createWhenNeeded  made             PathExtends...        IndexOutOfBounds
///      override        made               replaced              IndexOutOfBounds
///
/// What is made on the way is made in the caller's transaction: a path that fails at its end leaves
/// nothing behind only if the caller rolls back.
struct Locator {
  let engine: MergeDocument
  let strategy: SchemaStrategy

  /// A place and what stands there.
  struct Spot {
    let place: DocumentWriter.Place
    /// Nil if nothing stands there; then `place` is a key without value, or an insertion at the
    /// list's end.
    let current: MergeEngine.Value?
  }

  /// - Throws: `CodingKeyLookupError`.
  func locate(_ path: [PathKey]) throws -> Spot {
    guard let last = path.last else {
      throw CodingKeyLookupError.InvalidIndexLookup(Self.rootWords)
    }
    var holder = ObjectID.root
    for (index, step) in path.dropLast().enumerated() {
      let walked = path[...index]
      let spot = try spot(step, in: holder, walked)
      switch spot.current {
      case .object(let object, let kind)? where kind != .text: holder = object
      case let current?:
        guard strategy != .override else {
          holder = try make(path[index + 1], at: spot.place)
          continue
        }
        let rest = "at \(walked.dotted): the remaining path is \(path[(index + 1)...].dotted)"
        if case .object = current {
          throw CodingKeyLookupError.PathExtendsThroughText(
            "The path extends through a Text object \(rest)"
          )
        }
        throw CodingKeyLookupError.PathExtendsThroughScalar(
          "The path extends through a scalar value \(rest)"
        )
      case nil:
        guard strategy != .readonly else {
          throw CodingKeyLookupError.SchemaMissing(
            "Nothing exists at \(walked.dotted) and schema is read-only"
          )
        }
        holder = try make(path[index + 1], at: spot.place)
      }
    }
    return try spot(last, in: holder, path[...])
  }

  static let rootWords = "An empty path refers to ROOT and is always a map."

  /// What kind is made follows from the step behind it.
  ///
  ///     .notes.[0].body in an empty document      a list under "notes", a map as its element 0
  private func make(_ next: PathKey, at place: DocumentWriter.Place) throws -> ObjectID {
    switch next {
    case .key: try engine.make(.map, at: place)
    case .index: try engine.make(.list, at: place)
    }
  }

  /// A step in an object.
  ///
  /// The kinds must agree here already: a key is no step into a list, and an index none into a map,
  /// whatever the strategy says.
  private func spot(
    _ step: PathKey,
    in holder: ObjectID,
    _ walked: ArraySlice<PathKey>
  ) throws -> Spot {
    let kind = try engine.kind(of: holder)
    switch step {
    case .key(let key):
      guard !kind.isSequence else {
        throw CodingKeyLookupError.AutomergeDocError(
          DocError(kind: .wrongObjectType(ObjType(kind)))
        )
      }
      return Spot(
        place: .key(holder, key),
        current: try engine.get(holder, .key(key))?.value
      )
    case .index(let index):
      guard kind.isSequence else {
        throw CodingKeyLookupError.AutomergeDocError(
          DocError(kind: .wrongObjectType(ObjType(kind)))
        )
      }
      let length = try engine.length(holder)
      guard index <= length else {
        throw CodingKeyLookupError.IndexOutOfBounds(
          strategy == .readonly
            ? "Index value \(index) at \(walked.dotted) is beyond the length: \(length) and schema "
              + "is read-only"
            : "Index value \(index) is too far beyond the length: \(length) to append a new item."
        )
      }
      if index == length { return Spot(place: .insertion(holder, index), current: nil) }
      return Spot(
        place: .element(holder, index),
        current: try engine.get(holder, .index(index))?.value
      )
    }
  }
}

extension PathKey {
  /// A step as a caller spells it: an index where the key has an integer.
  init(_ key: any CodingKey) {
    if let key = key as? AnyCodingKey, case .Index(let index) = key.place {
      // What `Int` cannot hold is out of bounds as well as its greatest number.
      self = .index(Int(clamping: index))
    } else {
      self.init(spelled: key)
    }
  }
}

extension DocumentWriter.Place {
  /// As the engine names it.
  var prop: MergeEngine.Prop {
    switch self {
    case .key(_, let key): .key(key)
    case .element(_, let index), .insertion(_, let index): .index(index)
    }
  }
}

extension MergeDocument {
  /// A new, empty object at a place, over whatever stands there.
  func make(_ kind: ObjectKind, at place: DocumentWriter.Place) throws -> ObjectID {
    switch place {
    case .key(let holder, let key): try putObject(holder, .key(key), kind)
    case .element(let holder, let index): try putObject(holder, .index(index), kind)
    case .insertion(let holder, let index): try insertObject(holder, at: index, kind)
    }
  }
}
