/// Everything that one replica shows: values, winners, conflicts, lengths, texts and heads.
///
/// Subjects differ in how much they can show. What a subject cannot show is absent here (`nil`, or
/// `isComplete == false`), never guessed; ``difference(from:)`` compares what both sides show.
package struct Observation: Hashable, Sendable {
  package var root: ObservedObject
  package var heads: ObservedHeads?

  package init(root: ObservedObject, heads: ObservedHeads? = nil) {
    self.root = root
    self.heads = heads
  }
}

/// The changes that no other change depends on.
package struct ObservedHeads: Hashable, Sendable {
  /// How the ids were made; ids of two schemes do not compare, only their number does.
  package let scheme: String
  /// Ascending.
  package let ids: [String]

  package init(scheme: String, ids: [String]) {
    self.scheme = scheme
    self.ids = ids.count > 1 ? ids.sorted() : ids
  }
}

/// One object with all that is visible below it.
package struct ObservedObject: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    /// Entries ascending by the bytes of their keys.
    case map([Entry])
    case list([ObservedRegister])
    /// `length` counts units of the document's text encoding. `elements` holds one register for
    /// each visible element, or is `nil` where the subject shows only the string.
    case text(ExactString, length: Int, elements: [ObservedRegister]?)
  }

  /// A key of a map and the values that it holds.
  package struct Entry: Hashable, Sendable {
    package let key: ExactString
    package let register: ObservedRegister

    package init(key: ExactString, register: ObservedRegister) {
      self.key = key
      self.register = register
    }
  }

  /// Nil where the subject has no ids of operations.
  package let id: ObjectID?
  package let content: Content
  /// The marks of a text or list, by the bytes of their names and then by start.
  ///
  /// None where the subject has no marks: no history then makes any.
  package let marks: [ObservedMark]

  package init(id: ObjectID?, content: Content, marks: [ObservedMark] = []) {
    self.id = id
    self.content = content
    self.marks = marks
  }

  /// An object that holds nothing.
  package init(empty kind: ObjectKind, id: ObjectID?) {
    switch kind {
    case .map: self.init(id: id, content: .map([]))
    case .list: self.init(id: id, content: .list([]))
    case .text: self.init(id: id, content: .text("", length: 0, elements: []))
    }
  }

  package var kind: ObjectKind {
    switch content {
    case .map: .map
    case .list: .list
    case .text: .text
    }
  }
}

/// The visible values of one map key or list element: more than one is a conflict.
package struct ObservedRegister: Hashable, Sendable {
  /// Ascending by operation id, so that the last is the winner; never empty.
  package let values: [ObservedValue]
  /// Whether all conflicting values are here; false where the subject shows only the winner.
  package let isComplete: Bool

  package init(values: [ObservedValue], isComplete: Bool) {
    self.values = values
    self.isComplete = isComplete
  }
}

/// One visible value and the operation that wrote it.
package struct ObservedValue: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case scalar(Scalar)
    case object(ObservedObject)
    /// A scalar of this kind whose value the subject cannot show.
    case hidden(ScalarKind)
  }

  /// Nil where the subject has no ids of operations.
  package let id: OpID?
  package let content: Content

  package init(id: OpID?, content: Content) {
    self.id = id
    self.content = content
  }
}
