import CoderSubjects
public import CodingLaws
import FoundationCoders
public import Testing

/// A coder that models are judged with.
///
/// ``automerge`` is the encoder and decoder of `ReferenceAutomerge`, on documents that fork and merge.
/// ``records`` is the coder of `RecordCoding`. Foundation's coders are held to the laws that do not speak of documents. An adapter adds others,
/// such as `.automergeSwift`; the README of `Adapters/touchstone-automerge-swift` says how to write one.
public struct CodingSubject: Sendable {
  /// The party that can fix a coder.
  enum Maker {
    case touchstone
    case foundation
    /// The author of the subject, who can declare what the coder does.
    case other
  }

  package let subject: any CoderSubject
  let maker: Maker

  /// A coder of your own; `import TouchstoneAdapters` has the protocol.
  public init(_ subject: any CoderSubject) {
    self.init(subject, by: .other)
  }

  private init(_ subject: any CoderSubject, by maker: Maker) {
    self.subject = subject
    self.maker = maker
  }

  /// Short and stable, such as `document-coder`.
  public var id: String { subject.id }

  /// `AutomergeEncoder` and `AutomergeDecoder` of `ReferenceAutomerge`.
  public static let automerge = CodingSubject(DocumentCoderSubject(), by: .touchstone)
  /// `CloudKitRecordEncoder` and `CloudKitRecordDecoder` of `RecordCoding`, with exact dates and any keys.
  public static let records = CodingSubject(RecordCoderSubject(), by: .touchstone)
  /// `JSONEncoder` and `JSONDecoder`, with dates as they are.
  public static let foundationJSON = CodingSubject(FoundationCoder.json, by: .foundation)
  /// `PropertyListEncoder` and `PropertyListDecoder`, with the binary format.
  public static let foundationPropertyList = CodingSubject(
    FoundationCoder.propertyList,
    by: .foundation
  )
}

extension CodingSubject: CustomTestStringConvertible {
  /// The id, as the name of a case of a test with arguments.
  public var testDescription: String { id }
}
