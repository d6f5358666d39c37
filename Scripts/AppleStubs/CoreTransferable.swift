public import Foundation
/// Stand-in for Apple's `CoreTransferable`.
public import UniformTypeIdentifiers

public protocol TransferRepresentation<Item>: Sendable {
  associatedtype Item: Transferable

  func write(_ item: Item) async throws -> Data
  func read(_ data: Data) async throws -> Item
}

public protocol Transferable {
  associatedtype Representation: TransferRepresentation
  static var transferRepresentation: Representation { get }
}

extension Transferable {
  /// The value that a pasteboard or a drop would give.
  public init(importing data: Data, contentType: UTType?) async throws {
    guard let item = try await Self.transferRepresentation.read(data) as? Self else {
      throw WrongItem()
    }
    self = item
  }

  /// What goes to a pasteboard or into a drag.
  public func exported(as contentType: UTType) async throws -> Data {
    try await Self.transferRepresentation.writeAny(self)
  }
}

/// A representation is another type's.
struct WrongItem: Error {}

extension TransferRepresentation {
  fileprivate func writeAny(_ item: Any) async throws -> Data {
    guard let item = item as? Item else { throw WrongItem() }
    return try await write(item)
  }
}

public struct DataRepresentation<Item: Transferable>: TransferRepresentation {
  private let exporting: @Sendable (Item) async throws -> Data
  private let importing: @Sendable (Data) async throws -> Item

  public init(
    contentType: UTType,
    exporting: @escaping @Sendable (Item) async throws -> Data,
    importing: @escaping @Sendable (Data) async throws -> Item
  ) {
    self.exporting = exporting
    self.importing = importing
  }

  public func write(_ item: Item) async throws -> Data { try await exporting(item) }
  public func read(_ data: Data) async throws -> Item { try await importing(data) }
}
