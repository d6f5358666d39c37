package import ModelGeneration

/// The models that coders are judged by, the simplest first.
package enum ModelZoo {
  /// All models, with texts and counters of the given types.
  package static func models<Text: ModelText, Counter: ModelCounter>(
    text: Text.Type,
    counter: Counter.Type
  ) -> [Model] {
    plain + collaborative(text, counter)
  }

  private static let plain: [Model] =
    scalars + enumerations + containers + shapes + pitfalls + apps

  private static let scalars: [Model] = [
    .derived("Scalars", [.keyedRoot, .plainStruct, .wideIntegers], Scalars.self),
    .derived("ScalarLists", [.keyedRoot, .plainStruct, .lists, .wideIntegers], ScalarLists.self),
    .derived("ScalarDictionaries", [.keyedRoot, .wideIntegers], ScalarDictionaries.self),
    .derived("ScalarOptionals", [.keyedRoot, .lists, .nulls, .wideIntegers], ScalarOptionals.self),
    .derived("Leaves", [.keyedRoot, .dates], Leaves.self),
    .derived("LeafLists", [.keyedRoot, .dates, .lists], LeafLists.self),
    .derived("LeafDictionaries", [.keyedRoot, .dates], LeafDictionaries.self),
    .derived("LeafOptionals", [.keyedRoot, .dates, .lists, .nulls], LeafOptionals.self),
    .derived("Singles", [.keyedRoot, .dates, .lists, .wideIntegers], Singles.self),
    .derived("Collections", [.keyedRoot, .lists, .nulls, .unordered], Collections.self),
    .derived("FoundationTypes", [.keyedRoot, .dates], FoundationTypes.self),
    .derived("Moments", [.keyedRoot, .dates, .lists], Moments.self),
    .derived("WideIntegers", [.keyedRoot, .plainStruct, .lists, .wideIntegers], WideIntegers.self),
    .derived("Wide", [.keyedRoot], Wide.self),
    .derived(
      "OptionalsOfAllTypes",
      [.keyedRoot, .dates, .lists, .nulls, .wideIntegers],
      OptionalsOfAllTypes.self
    ),
    .derived("Empty", [.keyedRoot, .plainStruct], Empty.self),
    .derived("Hollow", [.keyedRoot, .lists], Hollow.self),
  ]

  private static let enumerations: [Model] = [
    .derived("RawEnums", [.keyedRoot, .lists, .unordered], RawEnums.self),
    .derived("PlainEnums", [.keyedRoot, .lists], PlainEnums.self),
    .derived("Phase", [.keyedRoot], Phase.self),
    .derived("Shape", [.keyedRoot], Shape.self),
    .derived("Shapes", [.keyedRoot, .lists], Shapes.self),
    .derived("Payloads", [.keyedRoot, .lists, .dates], Payloads.self),
    .derived("Formula", [.keyedRoot, .recursive], Formula.self),
    .derived("TaggedList", [.keyedRoot, .lists], TaggedList.self),
    .derived("LooseList", [.keyedRoot, .lists, .nulls, .recursive], LooseList.self),
    .derived("UntaggedList", [.keyedRoot, .lists], weight: 2, UntaggedList.self),
  ]

  private static let containers: [Model] = [
    .derived("NestedByHand", [.keyedRoot, .plainStruct, .lists], NestedByHand.self),
    .derived("FixedList", [.keyedRoot, .lists, .nulls], FixedList.self),
    .derived("IntegerNamedKeys", [.keyedRoot, .plainStruct, .lists], IntegerNamedKeys.self),
    .derived("NumberLikeKeys", [.keyedRoot], NumberLikeKeys.self),
    .derived("IntegerKeys", [.keyedRoot, .integerKeys], IntegerKeys.self),
    .derived("OtherKeys", [.keyedRoot, .lists, .unordered], OtherKeys.self),
    .derived("OpenKeys", [.keyedRoot], OpenKeys.self),
    .derived("Dog", [.keyedRoot, .lists], Dog.self),
    .derived("Cat", [.keyedRoot, .plainStruct], Cat.self),
    .derived("SuperInList", [.keyedRoot, .lists], SuperInList.self),
    .derived("ExplicitNull", [.keyedRoot, .nulls], ExplicitNull.self),
    .derived("ThreeStates", [.keyedRoot, .nulls], ThreeStates.self),
    .derived("SilentHolder", [.keyedRoot], SilentHolder.self),
    .derived("ListOfInts", [.lists], [Int].self),
    .derived("Word", [], String.self),
  ]

  private static let shapes: [Model] = [
    .derived("AskedTwice", [.keyedRoot, .lists], AskedTwice.self),
    .derived("WrittenAgain", [.keyedRoot], WrittenAgain.self),
    .derived("ManyWrittenAgain", [.keyedRoot, .lists], ManyWrittenAgain.self),
    .derived("ListAskedTwice", [.keyedRoot, .lists], ListAskedTwice.self),
    .derived("ShapesInside", [.keyedRoot, .lists], ShapesInside.self),
    .derived("Woven", [.keyedRoot, .lists], Woven.self),
    .derived("SupersUnderKeys", [.keyedRoot, .lists], SupersUnderKeys.self),
    .derived("Kennel", [.keyedRoot, .lists], Kennel.self),
    .derived("Wrappers", [.keyedRoot, .lists], Wrappers.self),
    .derived("Board", [.keyedRoot, .lists, .recursive], Board.self),
    .derived("Catalogue", [.keyedRoot, .lists, .nulls, .wideIntegers], weight: 4, Catalogue.self),
    .derived(
      "Inventory",
      [.keyedRoot, .lists, .nulls, .unordered, .wideIntegers],
      weight: 4,
      Inventory.self
    ),
    .derived("Grids", [.keyedRoot, .lists, .nulls], Grids.self),
    .derived("KeysOfAllKinds", [.keyedRoot, .lists, .unordered], KeysOfAllKinds.self),
    .derived("RankedEntries", [.keyedRoot, .unordered], RankedEntries.self),
    .derived(
      "SetsOfAllKinds",
      [.keyedRoot, .lists, .unordered, .wideIntegers],
      SetsOfAllKinds.self
    ),
    .derived("RowsByHand", [.keyedRoot, .lists, .nulls, .wideIntegers], RowsByHand.self),
    .derived("TriedTwice", [.keyedRoot], TriedTwice.self),
  ]

  private static let pitfalls: [Model] = [
    .derived("Chain", [.keyedRoot, .recursive], Chain.self),
    .derived("Branch", [.keyedRoot, .lists, .recursive], Branch.self),
    .derived("Folder", [.keyedRoot, .recursive], Folder.self),
    .derived("Tolerant", [.keyedRoot], Tolerant.self),
    .derived("Validated", [.keyedRoot, .lists], Validated.self),
    .derived("Versioned", [.keyedRoot], Versioned.self),
    .derived("Wrapped", [.keyedRoot, .plainStruct], Wrapped.self),
    .derived("Page", [.keyedRoot, .lists], Page<Point>.self),
    .derived("Strings", [.keyedRoot, .plainStruct, .lists], Strings.self),
    .derived("Forgetful", [.keyedRoot, .lossy], Forgetful.self),
    .derived("Picky", [.keyedRoot, .refuses], Picky.self),
    .derived("OptionalNest", [.keyedRoot, .lists, .nulls], OptionalNest.self),
  ]

  private static let apps: [Model] = [
    .derived("ColorList", [.keyedRoot, .plainStruct, .lists], ColorList.self),
    .derived("FlexibleModel", [.keyedRoot], FlexibleModel.self),
    .derived("SampleNote", [.keyedRoot, .plainStruct, .dates], SampleNote.self),
    .derived("ToDoList", [.keyedRoot, .dates, .lists], ToDoList.self),
    .derived("ChessGame", [.keyedRoot, .lists, .unordered], ChessGame.self),
    .derived("Recipe", [.keyedRoot, .lists], Recipe.self),
    .derived("CalendarEntry", [.keyedRoot, .dates, .lists], CalendarEntry.self),
  ]

  private static func collaborative<Text: ModelText, Counter: ModelCounter>(
    _ text: Text.Type,
    _ counter: Counter.Type
  ) -> [Model] {
    typealias Own = Collaborative<Text, Counter>
    return [
      .derived("OneText", [.keyedRoot, .texts], Own.OneText.self),
      .derived("OneCounter", [.keyedRoot, .counters], Own.OneCounter.self),
      .derived("TextList", [.keyedRoot, .texts, .lists], Own.TextList.self),
      .derived("Note", [.keyedRoot, .texts, .dates], Own.Note.self),
      .derived("Stats", [.keyedRoot, .counters], Own.Stats.self),
      .derived("TextPlaces", [.keyedRoot, .texts, .lists], Own.TextPlaces.self),
      .derived("CounterPlaces", [.keyedRoot, .counters, .lists], Own.CounterPlaces.self),
      .derived(
        "MeetingNotes",
        [.keyedRoot, .texts, .counters, .dates, .lists],
        Own.MeetingNotes.self
      ),
      .derived(
        "Ledger",
        [.keyedRoot, .texts, .counters, .lists],
        Ledger<Text, Counter>.self
      ),
      .derived("BarePlaces", [.keyedRoot, .texts, .counters, .lists], Own.BarePlaces.self),
    ]
  }
}
