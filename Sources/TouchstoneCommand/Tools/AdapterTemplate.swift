/// What `touchstone adapter new` writes: an adapter of a toy CRDT in a language, ready to be checked.
///
/// The one in Python is the adapter in `Adapters/template`: the manifest embeds its files, which
/// `Python/` links to, in the program, which is installed without any file beside it.
enum AdapterTemplate: String, CaseIterable {
  case python, javascript, rust, go

  /// What stands in the texts for the adapter's id.
  static let placeholder = "template"

  /// The program and its arguments, for `adapter.json`.
  var command: [String] {
    switch self {
    case .python: ["python", "adapter.py"]
    case .javascript: ["node", "adapter.js"]
    case .rust: ["cargo", "run", "--quiet", "--release"]
    case .go: ["go", "run", "."]
    }
  }

  /// What builds the program, in its folder, before it is started; `nil` where nothing is built.
  var buildCommand: String? {
    switch self {
    case .python, .javascript: nil
    case .rust: "cargo build --release"
    case .go: "go build -o /dev/null ."
    }
  }

  /// The files beside `adapter.json`, for an adapter of this id.
  func files(id: String) -> [(path: String, text: String)] {
    files.map { path, text in
      (
        path,
        text.replacing("\"\(Self.placeholder)\"", with: "\"\(id)\"")
          .replacing("'\(Self.placeholder)'", with: "'\(id)'")
      )
    }
  }

  private var files: [(path: String, text: String)] {
    switch self {
    case .python:
      [
        ("adapter.py", String(decoding: PackageResources.adapter_py, as: UTF8.self)),
        ("toy.py", String(decoding: PackageResources.toy_py, as: UTF8.self)),
      ]
    case .javascript: [("adapter.js", Self.javascriptAdapter)]
    case .rust:
      [
        ("Cargo.toml", Self.rustManifest), ("src/main.rs", Self.rustMain),
        ("src/json.rs", Self.rustJSON), (".gitignore", "target/\n"),
      ]
    case .go: [("go.mod", Self.goManifest), ("main.go", Self.goMain)]
    }
  }
}
