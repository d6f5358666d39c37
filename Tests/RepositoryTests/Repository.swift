import Foundation

/// The files of a repository: those that are tracked, or would be with the next `git add .`.
///
/// Read without git, so that it works in an exported archive and in a planted folder alike.
struct Repository {
  /// The folder that holds `Package.swift`.
  let root: URL
  /// Paths relative to the root, separated by `/`, sorted.
  let paths: [String]

  /// Lists the files below `root`, but for those that its `.gitignore` names.
  ///
  /// - Throws: ``IgnoreRules/Unreadable`` for a pattern of a kind not known here.
  init(root: URL) throws {
    self.root = root
    let ignored = root.appendingPathComponent(".gitignore")
    let rules = try IgnoreRules((try? String(contentsOf: ignored, encoding: .utf8)) ?? "")
    var found: [String] = []
    try Self.list(root, prefix: "", rules: rules, into: &found)
    paths = found.sorted()
  }

  /// The repository that holds this file.
  static func current(file: String = #filePath) throws -> Self {
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
    return try Self(root: folder.deletingLastPathComponent().deletingLastPathComponent())
  }

  func data(at path: String) throws -> Data {
    try Data(contentsOf: root.appendingPathComponent(path))
  }

  /// The text of a file; bytes that are not UTF-8 become replacement characters.
  func text(at path: String) throws -> String {
    String(decoding: try data(at: path), as: UTF8.self)
  }

  /// Folders directly below `folder`, by name, sorted; none if there is no such folder.
  func folders(in folder: String) -> [String] {
    let names = paths.compactMap { path -> String? in
      guard path.hasPrefix(folder + "/") else { return nil }
      let rest = path.dropFirst(folder.count + 1).split(separator: "/")
      return rest.count > 1 ? String(rest[0]) : nil
    }
    return Set(names).sorted()
  }

  private static func list(
    _ folder: URL,
    prefix: String,
    rules: IgnoreRules,
    into found: inout [String]
  ) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let url = folder.appendingPathComponent(name)
      let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
      let type = attributes[.type] as? FileAttributeType
      // A symbolic link is a file here, unless it points to a folder: what is in that is listed there.
      if type == .typeSymbolicLink,
        (try? url.resolvingSymlinksInPath().resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory
          == true
      {
        continue
      }
      let isFolder = type == .typeDirectory
      guard name != ".git", !rules.ignores(name, isFolder: isFolder) else { continue }
      if isFolder {
        try list(url, prefix: prefix + name + "/", rules: rules, into: &found)
      } else {
        found.append(prefix + name)
      }
    }
  }
}

/// The patterns of a `.gitignore`, as far as ours go: `name`, `name/` and `*.extension`, each at
/// any depth.
struct IgnoreRules {
  /// A pattern that would need more of git's rules than are known here.
  struct Unreadable: Error, Equatable {
    let pattern: String
  }

  private var names: Set<String> = []
  private var folders: Set<String> = []
  private var suffixes: [String] = []

  /// - Throws: ``Unreadable`` for a pattern of another form.
  init(_ text: String) throws {
    for line in text.split(whereSeparator: \.isNewline) {
      let pattern = line.trimmingCharacters(in: .whitespaces)
      guard !pattern.isEmpty, !pattern.hasPrefix("#") else { continue }
      let isFolder = pattern.hasSuffix("/")
      let isSuffix = pattern.hasPrefix("*.")
      let name = String((isFolder ? pattern.dropLast() : pattern[...]).dropFirst(isSuffix ? 1 : 0))
      guard !name.isEmpty, !name.contains(where: { "*?[]!/\\".contains($0) }) else {
        throw Unreadable(pattern: pattern)
      }
      if isSuffix {
        suffixes.append(name)
      } else if isFolder {
        folders.insert(name)
      } else {
        names.insert(name)
      }
    }
  }

  func ignores(_ name: String, isFolder: Bool) -> Bool {
    names.contains(name) || (isFolder && folders.contains(name))
      || suffixes.contains { name.hasSuffix($0) }
  }
}
