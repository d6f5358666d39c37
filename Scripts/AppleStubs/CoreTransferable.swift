public import Foundation
/// Stand-in for Apple's `CoreTransferable`.
public import UniformTypeIdentifiers

public protocol TransferRepresentation<Item>: Sendable {
  associatedtype Item: Transferable
}

public protocol Transferable {
  associatedtype Representation: TransferRepresentation
  static var transferRepresentation: Representation { get }
}

public struct DataRepresentation<Item: Transferable>: TransferRepresentation {
  public init(
    contentType: UTType,
    exporting: @escaping @Sendable (Item) async throws -> Data,
    importing: @escaping @Sendable (Data) async throws -> Item
  ) {}
}
