// A check of what differences tell of places that two writers change at once, run now and then by
// `DocumentReplica.heads()`.

import AutomergeDocument
import MergeEngine

extension Document {
  /// Throws if differences tell of a place otherwise than it shows, when two writers have changed it at once.
  ///
  /// `number` says what each of them does. Histories have many places, and seldom come to one that has grown as a
  /// counter and is in conflict as well.
  ///
  ///     before    "k" is a counter of 1
  ///     one       increments it by 2
  ///     other     puts 7 in its place, and loses
  ///     due       two patches of "k": it has grown by 2, and there is another value
  static func checkRegisters(_ number: Int) throws {
    var random = PseudoRandom(seed: number)
    let document = Document()
    document.actor = ActorId(MergeEngine.ActorID([0xfd]))
    let list = try document.putObject(obj: .ROOT, key: "list", ty: .List)
    try document.splice(obj: list, start: 0, delete: 0, values: [.Counter(1), .Int(2)])
    try document.put(obj: .ROOT, key: "k", value: .Counter(1))
    var known = [document.heads()]
    let peer = document.fork()
    peer.actor = ActorId(MergeEngine.ActorID([random.index(below: 2) == 0 ? 0xfc : 0xfe]))
    for side in [document, peer] {
      for _ in 0...random.index(below: 3) {
        let call = random.index(below: 6)
        if random.index(below: 2) == 0 {
          try side.change(list, .Index(0), call)
        } else {
          try side.change(.ROOT, .Key("k"), call)
        }
        if side === document { known.append(document.heads()) }
      }
    }
    try document.merge(other: peer)
    for heads in known { try document.checkDifferences(between: heads, and: document.heads()) }
  }

  /// Changes one place; what cannot be incremented stays.
  private func change(_ object: ObjId, _ prop: AutomergeDocument.Prop, _ call: Int) throws {
    switch (call, prop) {
    case (0...1, .Key(let key)): try? increment(obj: object, key: key, by: 2)
    case (0...1, .Index(let index)): try? increment(obj: object, index: index, by: 2)
    case (2, .Key(let key)): try put(obj: object, key: key, value: .Int(7))
    case (2, .Index(let index)): try put(obj: object, index: index, value: .Int(7))
    case (3, .Key(let key)): try put(obj: object, key: key, value: .Counter(3))
    case (3, .Index(let index)): try put(obj: object, index: index, value: .Counter(3))
    case (4, .Key(let key)): _ = try putObject(obj: object, key: key, ty: .Map)
    case (4, .Index(let index)): _ = try putObject(obj: object, index: index, ty: .Map)
    case (_, .Key(let key)): try delete(obj: object, key: key)
    case (_, .Index(let index)):
      // The list keeps an element to change.
      if length(obj: object) > 1 { try delete(obj: object, index: index) }
    }
  }
}
