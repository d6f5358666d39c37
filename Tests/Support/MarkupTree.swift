import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// An element of well-formed markup, read by a parser that is not ours.
package final class MarkupTree {
  /// Markup that is not well-formed.
  package struct Malformed: Error, CustomStringConvertible {
    package let line: Int
    package let description: String
  }

  package let name: String
  package let attributes: [String: String]
  /// Elements and texts, in their order.
  package private(set) var children: [Child] = []

  package enum Child {
    case element(MarkupTree)
    case text(String)
  }

  fileprivate init(_ name: String, _ attributes: [String: String]) {
    self.name = name
    self.attributes = attributes
  }

  /// Adds text, which a parser hands over in pieces, to the text before it.
  private func add(_ text: String) {
    guard case .text(let before)? = children.last else {
      children.append(.text(text))
      return
    }
    children[children.count - 1] = .text(before + text)
  }

  /// Reads a whole document.
  package static func read(_ markup: String) throws(Malformed) -> MarkupTree {
    let parser = XMLParser(data: Data(markup.utf8))
    parser.shouldResolveExternalEntities = false
    let builder = Builder()
    parser.delegate = builder
    let isRead = parser.parse()
    guard isRead, let root = builder.root else {
      throw Malformed(
        line: parser.lineNumber,
        description: "line \(parser.lineNumber): \(parser.parserError.map { "\($0)" } ?? "?")"
      )
    }
    return root
  }

  /// The elements directly below.
  package var elements: [MarkupTree] {
    children.compactMap { if case .element(let element) = $0 { element } else { nil } }
  }

  /// This element and all below it, in the order of the document.
  package var all: [MarkupTree] {
    [self] + elements.flatMap(\.all)
  }

  /// All text within, in the order of the document.
  package var text: String {
    children.map { child in
      switch child {
      case .element(let element): element.text
      case .text(let text): text
      }
    }
    .joined()
  }

  package func all(_ name: String) -> [MarkupTree] {
    all.filter { $0.name == name }
  }

  /// Elements of a class.
  package func all(ofClass name: String) -> [MarkupTree] {
    all.filter { $0.classes.contains(name) }
  }

  package func first(id: String) -> MarkupTree? {
    all.first { $0.attributes["id"] == id }
  }

  package var classes: [String] {
    (attributes["class"] ?? "").split(separator: " ").map(String.init)
  }

  private final class Builder: NSObject, XMLParserDelegate {
    var root: MarkupTree?
    private var open: [MarkupTree] = []

    func parser(
      _ parser: XMLParser,
      didStartElement name: String,
      namespaceURI: String?,
      qualifiedName: String?,
      attributes: [String: String]
    ) {
      let element = MarkupTree(name, attributes)
      open.last?.children.append(.element(element))
      if root == nil { root = element }
      open.append(element)
    }

    func parser(
      _ parser: XMLParser,
      didEndElement name: String,
      namespaceURI: String?,
      qualifiedName: String?
    ) {
      open.removeLast()
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
      open.last?.add(text)
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
      open.last?.add(String(decoding: block, as: UTF8.self))
    }
  }
}
