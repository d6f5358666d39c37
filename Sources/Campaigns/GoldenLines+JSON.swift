import DocumentLaws

extension GoldenLines {
  /// The lines of a golden vector, which the files tell as JSON.
  static func of(json content: Any?, _ conflicts: Any?) -> [String] {
    var lines: [String] = []
    add(content, at: "", &lines)
    for conflict in conflicts as? [[String: Any]] ?? [] {
      let path = (conflict["path"] as? [Any] ?? []).map { "/\($0)" }.joined()
      for entry in conflict["values"] as? [[String: Any]] ?? [] {
        lines.append("\(path) has \(entry["id"] as? String ?? "?")")
      }
    }
    return lines.sorted()
  }

  private static func add(_ json: Any?, at path: String, _ lines: inout [String]) {
    guard let item = json as? [String: Any], let type = item["type"] as? String else { return }
    let id = item["id"] as? String ?? ""
    switch type {
    case "map", "table":
      lines.append("\(path) = map \(id)")
      for (key, value) in item["value"] as? [String: Any] ?? [:] {
        add(value, at: "\(path)/\(key)", &lines)
      }
    case "list":
      lines.append("\(path) = list \(id)")
      for (index, value) in (item["value"] as? [Any] ?? []).enumerated() {
        add(value, at: "\(path)/\(index)", &lines)
      }
    case "text":
      lines.append("\(path) = text \(id) \(item["value"] as? String ?? "")")
    case "null": lines.append("\(path) = null")
    case "bool": lines.append("\(path) = bool \(item["value"] as? Bool ?? false)")
    case "f64": lines.append("\(path) = f64 \(item["bits"] as? String ?? "")")
    case "unknown":
      let code = item["code"] as? Int ?? 0
      lines.append("\(path) = unknown \(code) \(item["value"] as? String ?? "")")
    default:
      lines.append("\(path) = \(type) \(item["value"] as? String ?? "")")
    }
  }
}
