public import Foundation
public import ReferenceAutomerge

/// The notes of a meeting, which several people write at once.
public struct Meeting: Codable {
  public var id: UUID
  public var title: String
  public var starts: Date
  public var agenda: [Item]
  public var attendees: [String: Attendance]
  public var link: URL?

  public struct Item: Codable {
    public var title: String
    public var minutes: AutomergeText
    public var votes: ReferenceAutomerge.Counter
    public var decision: Decision?
  }

  public enum Attendance: String, Codable, CaseIterable {
    case invited
    case present
    case excused
  }

  public enum Decision: Codable {
    case accepted(by: Int)
    case postponed(until: Date)
    case dropped
  }
}

/// What is to be done, in lists within lists.
public struct ToDoList: Codable, Equatable {
  public var name: String
  public var color: Color
  public var tasks: [Task]

  public enum Color: Int, Codable {
    case red = 1
    case green = 2
    case blue = 4
  }

  public struct Task: Codable, Equatable {
    public var text: String
    public var isDone: Bool
    public var due: Date?
    public var subtasks: [Task]
  }
}

/// A game of chess: moves as payloads of an enumeration.
public struct ChessGame: Codable, Equatable {
  public var white: String
  public var black: String
  public var moves: [Move]
  public var clockSeconds: [Double]
  public var result: Result?

  public enum Move: Codable, Equatable {
    case plain(from: Square, to: Square)
    case promotion(from: Square, to: Square, piece: String)
    case castling(isShort: Bool)
  }

  public struct Square: Codable, Equatable {
    public var file: UInt8
    public var rank: UInt8
  }

  public enum Result: String, Codable {
    case white
    case black
    case draw
  }
}

/// A recipe: amounts as decimals, a picture, steps by name.
public struct Recipe: Codable, Equatable {
  public var title: String
  public var servings: UInt16
  public var ingredients: [Ingredient]
  public var steps: [String]
  public var picture: Data?
  public var source: URL?

  public struct Ingredient: Codable, Equatable {
    public var name: String
    public var amount: Decimal
    public var unit: String?
  }
}

/// A calendar with its entries by their ids, and a rule for those that come again.
public struct Calendar: Codable, Equatable {
  public var name: String
  public var entries: [String: Entry]

  public struct Entry: Codable, Equatable {
    public var title: String
    public var starts: Date
    public var ends: Date
    public var alarmsSecondsBefore: [Int]
    public var rule: Rule
  }

  public enum Rule: Codable, Equatable {
    case once
    case daily(every: Int)
    case weekly(on: [Int], until: Date?)
  }
}
