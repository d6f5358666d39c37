import Foundation
import ModelLaws
import Testing

@Suite("Values as text")
struct ValueTextTests {
  class Item {
    var id = 1
  }

  final class Folder: Item {
    var name = "a"
    var parts: [Part] = []
  }

  final class Part {
    weak var folder: Folder?
  }

  struct Holder {
    var item: Folder?
    var counts = ["b": 2, "a": 1]
  }

  enum Shape {
    case circle(Double)
    case square(Double)
  }

  @Test("An object shows its properties, those of its superclass first, in a struct as well")
  func objects() {
    #expect(ValueText.text(of: Folder()) == #"Folder(id: 1, name: "a", parts: [])"#)
    #expect(
      ValueComparison.description(of: Holder(item: Folder()))
        == #"Holder(item: Folder(id: 1, name: "a", parts: []), counts: ["a": 1, "b": 2])"#
    )
  }

  @Test("What is erased is shown as what it is, in an order that is always the same")
  func erased() {
    struct Item: Hashable {
      let names: Set<String>
    }
    let items: Set<AnyHashable> = [Item(names: ["b", "a"]), "x", 1]
    #expect(ValueText.text(of: items) == #"Set(["x", 1, Item(names: Set(["a", "b"]))])"#)
  }

  @Test("An object that leads back to itself is shown once")
  func cycle() {
    let folder = Folder()
    folder.parts = (0..<2).map { _ in Part() }
    for part in folder.parts { part.folder = folder }
    #expect(
      ValueText.text(of: folder)
        == #"Folder(id: 1, name: "a", parts: [Part(folder: Folder(…)), Part(folder: Folder(…))])"#
    )
  }

  @Test("Two cases of an enumeration differ as wholes")
  func cases() {
    let found = ValueComparison().difference(Shape.circle(0), Shape.square(0))
    #expect(found?.first == "circle(0.0)")
    #expect(found?.second == "square(0.0)")
  }

  @Test("An optional that holds nil is not shown as nil")
  func nestedOptionals() {
    struct Holder {
      var number: Int??
    }
    let found = ValueComparison().difference(Holder(number: nil), Holder(number: .some(nil)))
    #expect(found?.first == "nil")
    #expect(found?.second == ".some(nil)")
    #expect(ValueText.text(of: Holder(number: .some(nil))) == "Holder(number: .some(nil))")
    #expect(ValueText.text(of: Holder(number: 1)) == "Holder(number: 1)")
    #expect(ValueComparison.description(of: Int???.some(.some(nil)) as Any) == ".some(.some(nil))")
  }

  /// On Linux a cast to a class ends the process for both: it bridges them first.
  @Test("Values that Foundation cannot bridge are compared and shown")
  func unbridgeable() {
    var components = URLComponents()
    components.host = "["
    #expect(components.string == nil)
    let values: [(Any, Any)] = [
      (Set<Decimal>([1, 2]), Set<Decimal>([1])), (components, URLComponents()),
    ]
    for (first, second) in values {
      #expect(ValueComparison().difference(first, first) == nil)
      #expect(ValueComparison().difference(first, second) != nil)
    }
    #expect(ValueText.text(of: Set<Decimal>([2, 1])) == "Set([1, 2])")
  }
}
