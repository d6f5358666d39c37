package import Foundation
package import ModelGeneration

// Models of users' documents, and of the kinds of app that people write.

struct ColorList: Codable, Equatable {
  var colors: [String]
}

struct FlexibleModel: Codable, Equatable {
  var name: String
  var newField: String?
}

struct SampleNote: Codable, Equatable {
  let created: Date
  var notes: String
}

struct ToDoList: Codable, Equatable {
  struct Item: Codable, Equatable {
    var id: UUID
    var title: String
    var due: Date?
    var status: Status
    var phase: Phase
  }

  var name: String
  var items: [Item]
}

struct ChessGame: Codable, Equatable {
  enum Colour: String, Codable {
    case white
    case black
  }

  enum Result: Codable, Equatable {
    case running
    case won(by: Colour)
    case drawn
  }

  struct Move: Codable, Equatable {
    var from: UInt8
    var to: UInt8
    var comment: String?
  }

  var players: [Colour: String]
  var moves: [Move]
  var result: Result
  var clock: TimeInterval
}

struct Recipe: Codable, Equatable {
  struct Ingredient: Codable, Equatable {
    var name: String
    var amount: Decimal
    var unit: String?
  }

  var title: String
  var ingredients: [Ingredient]
  var steps: [String]
  var photo: Data?
  var source: URL?
}

struct CalendarEntry: Codable, Equatable {
  var title: String
  var start: Date
  var end: Date
  var allDay: Bool
  var attendees: [String: Status]
  var reminders: [TimeInterval]
}

/// Models with texts and counters of a subject's own types.
package enum Collaborative<Text: ModelText, Counter: ModelCounter> {
  package struct Note: Codable {
    package var created: Date
    package var title: Text
    package var body: Text
    package var category: String
  }

  package struct Stats: Codable {
    package var viewCount: Counter
    package var likeCount: Counter
  }

  package struct TextPlaces: Codable {
    package var text: Text
    package var maybe: Text?
    package var list: [Text]
    package var map: [String: Text]
    package var inner: Inner
    package var inners: [Inner]
    package var choice: Choice

    package struct Inner: Codable {
      package var text: Text
      package var number: Int
    }

    package enum Choice: Codable {
      case text(Text)
      case both(Text, number: Int)
    }
  }

  package struct CounterPlaces: Codable {
    package var counter: Counter
    package var maybe: Counter?
    package var list: [Counter]
    package var map: [String: Counter]
    package var inner: Inner

    package struct Inner: Codable {
      package var counter: Counter
    }
  }

  package struct MeetingNotes: Codable {
    package struct Item: Codable {
      package var topic: Text
      package var votes: Counter
      package var owner: String?
    }

    package var title: String
    package var date: Date
    package var attendees: [String]
    package var agenda: [Item]
    package var notes: Text
  }

  package struct TextList: Codable {
    package var texts: [Text]

    package init(texts: [Text]) {
      self.texts = texts
    }
  }

  package struct OneText: Codable {
    package var text: Text

    package init(text: Text) {
      self.text = text
    }
  }

  package struct OneCounter: Codable {
    package var counter: Counter

    package init(counter: Counter) {
      self.counter = counter
    }
  }

  /// A value that is written as if its wrapper were not there.
  package struct Bare<Value: Codable>: Codable {
    package var value: Value

    package init(from decoder: any Decoder) throws {
      value = try decoder.singleValueContainer().decode(Value.self)
    }

    package func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  package struct BareCounter: Codable {
    package var counter: Bare<Counter>
  }

  package struct BarePlaces: Codable {
    package var text: Bare<Text>
    package var counter: Bare<Counter>
    package var texts: [Bare<Text>]
    package var counters: [Bare<Counter>]
  }
}
