#if canImport(UniformTypeIdentifiers)
public import UniformTypeIdentifiers

extension UTType {
  /// A saved document.
  public static var automerge: UTType {
    UTType(exportedAs: "com.github.automerge", conformingTo: .data)
  }
}
#endif

#if canImport(CoreTransferable) && canImport(UniformTypeIdentifiers)
public import CoreTransferable

extension Document: Transferable {
  /// The saved bytes; importing damaged ones throws ``LoadError``.
  public static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(contentType: .automerge) { document in
      document.save()
    } importing: { bytes in
      try Document(bytes)
    }
  }
}
#endif
