// Operations, registers, values and objects: the words that the whole specification is written in.
// Read this file first.

package import DocumentModel

/// One operation, as the change that holds it states it.
///
/// Source: Specification/Semantics.md, "Identity", "Registers and conflicts", "Lists".
package struct NaiveOp: Hashable, Sendable {
  /// What an operation does to its register.
  package enum Action: Hashable, Sendable {
    /// Sets a scalar; for a counter, its start value.
    case set(Scalar)
    /// Makes an object whose id is the operation's.
    case make(ObjectKind)
    case delete
    /// Adds to every counter among the predecessors.
    case increment(Int64)
    /// Begins a mark: an element of a sequence that shows nothing.
    case beginMark(ExactString, Scalar, expands: Bool)
    /// Ends the mark whose begin has the id before this one.
    case endMark(expands: Bool)
  }

  /// What an operation's key names.
  package enum Place: Hashable, Sendable {
    case key(ExactString)
    /// An overwrite or delete of the list element with this id.
    case element(OpID)
    /// A new list element right of the element with this id; `nil` stands for the list's head.
    case after(OpID?)
  }

  package let id: OpID
  package let object: ObjectID
  package let place: Place
  package var action: Action
  /// The operations of the register that this one replaces.
  package var predecessors: [OpID]

  package var isMark: Bool {
    switch action {
    case .beginMark, .endMark: true
    default: false
    }
  }

  /// The register that the operation belongs to: an insert founds the register of its element.
  package var register: Register {
    switch place {
    case .key(let key): .key(key)
    case .element(let element): .element(element)
    case .after: .element(id)
    }
  }
}

/// A map key, or an element of a list or text: what holds values, more than one in a conflict.
///
/// Source: Specification/Semantics.md, "Registers and conflicts".
package enum Register: Hashable, Sendable {
  case key(ExactString)
  case element(OpID)
}

/// A visible value of a register.
package struct NaiveValue: Hashable, Sendable {
  /// The operation that set or made it.
  package let id: OpID
  /// A `set` or `make`; a counter has its current value, not its start.
  package let action: NaiveOp.Action
  /// The increments that the current value of a counter contains, in the order they came.
  package let increments: [OpID]

  package var isCounter: Bool {
    if case .set(.counter) = action { true } else { false }
  }
}

/// An object that some operation made, or the root.
struct NaiveObject: Hashable, Sendable {
  let id: ObjectID
  let kind: ObjectKind
  /// The ids of all elements of a list or text in their order, deleted ones included.
  var sequence: [OpID] = []
  /// Where the last element to come was placed: what a search looks at first.
  var lastPlace = 0
  /// Whether a mark ever came: what a search for marks looks at first.
  var hasMarks = false
}

/// A visible element of a list or text.
struct NaiveElement {
  let id: OpID
  /// Ascending; never empty.
  let values: [NaiveValue]
  let winner: NaiveValue
  /// The positions that the element takes, in units of the text encoding; in a list always one.
  let span: Range<Int>
}
