import DocumentLaws
import Texts

extension GoldenLines {
  /// The lines of a golden vector, which the files tell as JSON.
  static func of(json content: JSONValue?, _ conflicts: JSONValue?) -> [String] {
    var lines: [String] = []
    add(content, at: "", &lines)
    for conflict in conflicts?.array ?? [] {
      let path = (conflict["path"]?.array ?? []).map { "/\(step($0))" }.joined()
      for entry in conflict["values"]?.array ?? [] {
        lines.append("\(path) has \(entry["id"]?.string ?? "?")")
      }
    }
    return lines.sorted()
  }

  /// A key, or an index of a list.
  private static func step(_ json: JSONValue) -> String {
    json.string ?? json.integer.map(String.init) ?? "?"
  }

  private static func add(_ item: JSONValue?, at path: String, _ lines: inout [String]) {
    guard let item, let type = item["type"]?.string else { return }
    let id = item["id"]?.string ?? ""
    let value = item["value"]
    switch type {
    case "map", "table":
      lines.append("\(path) = map \(id)")
      guard case .object(let members) = value else { return }
      for member in members { add(member.value, at: "\(path)/\(member.key)", &lines) }
    case "list":
      lines.append("\(path) = list \(id)")
      for (index, element) in (value?.array ?? []).enumerated() {
        add(element, at: "\(path)/\(index)", &lines)
      }
    case "text": lines.append("\(path) = text \(id) \(value?.string ?? "")")
    case "null": lines.append("\(path) = null")
    case "bool": lines.append("\(path) = bool \(value == .boolean(true))")
    case "f64": lines.append("\(path) = f64 \(item["bits"]?.string ?? "")")
    case "unknown":
      lines.append("\(path) = unknown \(item["code"]?.integer ?? 0) \(value?.string ?? "")")
    default: lines.append("\(path) = \(type) \(value?.string ?? "")")
    }
  }
}
