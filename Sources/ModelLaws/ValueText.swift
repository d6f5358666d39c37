// A value as text. `ValueDifference.swift` shows values by it; `Touchstone` shows samples and
// arguments by it.

import Foundation
import ModelGeneration
import Texts

/// A value as text that is the same in every process: what failures show, and what a stored case is
/// compared with.
///
/// Sets and dictionaries are in the order of their texts, since their own order changes from run to run.
///
/// Worked example: `Note(title: "a", tags: Set(["x", "y"]), due: nil)`.
///
/// `"\(value)"` would not do: it writes sets in the order of a hash that has another seed in each
/// process.
package enum ValueText {
  /// Below that a value is shown by its own description.
  private static let depthLimit = 40

  package static func text(of value: Any) -> String { text(of: value, within: [], depth: 0) }

  /// `objects` are the instances of classes that the value is part of.
  ///
  /// Types with a `description` of their own are shown by it, if they are structs, classes or
  /// enumerations: it is what their author wants to be seen.
  private static func text(of value: Any, within objects: [ObjectIdentifier], depth: Int) -> String
  {
    // What is erased is shown as what it is; a cast alone would wrap any other value.
    if type(of: value) == AnyHashable.self, let erased = value as? AnyHashable {
      return self.text(of: erased.base, within: objects, depth: depth)
    }
    switch value {
    case let text as String: return Tree.quoted(text)
    case let character as Character: return Tree.quoted(String(character))
    case let data as Data: return "Data(\(hexString(Array(data))))"
    case let date as Date: return self.text(of: date)
    default: break
    }
    switch ModelReference(value) {
    case .text(let text)?: return "the text \(Tree.quoted(text.value))"
    case .counter(let counter)?: return "a counter at \(counter.value)"
    case nil: break
    }
    let mirror = Mirror(reflecting: value)
    guard let style = mirror.displayStyle, depth < depthLimit else { return "\(value)" }
    var parts = mirror.children.map { (label: $0.label, value: $0.value) }
    var objects = objects
    if style == .class {
      let object = ObjectIdentifier(value as AnyObject)
      // A child may lead back to its parent.
      guard !objects.contains(object) else { return "\(type(of: value))(…)" }
      objects.append(object)
      var ancestor = mirror.superclassMirror
      while let mirror = ancestor {
        parts.insert(contentsOf: mirror.children.map { ($0.label, $0.value) }, at: 0)
        ancestor = mirror.superclassMirror
      }
    }
    func texts() -> [String] { parts.map { text(of: $0.value, within: objects, depth: depth + 1) } }
    func labelled() -> String {
      zip(parts, texts()).map { part, text in
        // The labels of a tuple without labels are `.0`, `.1` and so on.
        part.label.flatMap { $0.hasPrefix(".") ? nil : "\($0): \(text)" } ?? text
      }.joined(separator: ", ")
    }
    switch style {
    case .optional:
      let inner = texts().first ?? "nil"
      return (value as? any AnyOptional)?.wrapsNil == true ? ".some(\(inner))" : inner
    case .collection: return "[\(texts().joined(separator: ", "))]"
    case .set: return "Set([\(texts().sorted().joined(separator: ", "))])"
    case .dictionary:
      let pairs = parts.map { pair in
        Mirror(reflecting: pair.value).children.map {
          text(of: $0.value, within: objects, depth: depth + 1)
        }
        .joined(separator: ": ")
      }
      return pairs.isEmpty ? "[:]" : "[\(pairs.sorted().joined(separator: ", "))]"
    case .tuple: return "(\(labelled()))"
    case .struct where !(value is any CustomStringConvertible) && !parts.isEmpty,
      .class where !(value is any CustomStringConvertible) && !parts.isEmpty:
      return "\(type(of: value))(\(labelled()))"
    case .enum where !(value is any CustomStringConvertible) && !parts.isEmpty:
      // One child, whose label is the case and whose value is the payload.
      let payload = texts().first ?? ""
      let name = parts.first?.label ?? ""
      return "\(name)\(payload.hasPrefix("(") ? payload : "(\(payload))")"
    default: return "\(value)"
    }
  }

  /// Foundation's description has whole seconds, so that what it leaves out is shown as well.
  ///
  /// From 1e12 seconds (some 32,000 years) on it is shown in any case.
  private static func text(of date: Date) -> String {
    let seconds = date.timeIntervalSinceReferenceDate
    return seconds == seconds.rounded() && abs(seconds) < 1e12
      ? "\(date)" : "\(date) (\(seconds) s since 2001)"
  }
}
