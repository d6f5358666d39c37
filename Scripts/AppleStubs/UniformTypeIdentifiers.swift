/// Stand-in for Apple's `UniformTypeIdentifiers`.
public struct UTType: Sendable {
  public static let data = UTType(exportedAs: "public.data")
  public let identifier: String
  public init(exportedAs identifier: String, conformingTo parent: UTType? = nil) {
    self.identifier = identifier
  }
}
