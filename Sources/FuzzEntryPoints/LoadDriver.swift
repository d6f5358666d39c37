import DocumentLaws
import Foundation

/// What the executable of the target *load* is when it is built without libFuzzer: it judges stored
/// files.
public struct LoadDriver {
  /// How the driver is called.
  public static let usage = """
    usage: FuzzLoad PATH...
           FuzzLoad --seeds FOLDER

    A PATH is a file, or a folder of which every `.bin` and `.automerge` file and every file without
    an extension, which is how libFuzzer names them, is one. Each is loaded by the engine, as it is
    and with its checksum made right; a law that is violated is told.

      --seeds    makes the seed corpus: one small input for each known way to claim much

    exit: 0 all laws held; 1 a law was violated; 2 a file cannot be read; 64 usage.

    """

  private let output: @Sendable (String) -> Void

  /// A driver that hands each line of output to `output`.
  public init(output: @escaping @Sendable (String) -> Void = { print($0) }) {
    self.output = output
  }

  /// Runs the command that `arguments`, without the program's name, spell; its exit status.
  public func run(arguments: [String]) -> Int32 {
    if arguments.first == "--seeds", arguments.count == 2 {
      return makeSeeds(URL(fileURLWithPath: arguments[1]))
    }
    guard let first = arguments.first, !first.hasPrefix("-") else {
      let asked = ["--help", "-h"].contains(arguments.first)
      asked ? output(Self.usage) : complain(Self.usage)
      return asked ? 0 : 64
    }
    do {
      let files = try arguments.flatMap { path in
        try inputFiles(at: URL(fileURLWithPath: path), extensions: ["", "bin", "automerge"])
      }
      var failureCount = 0
      for file in files {
        let input = LoadInput(bytes: [UInt8](try Data(contentsOf: file)))
        guard let finding = input.finding() else { continue }
        failureCount += 1
        output(input.words(for: finding, file: file.relativePath))
      }
      guard !files.isEmpty else {
        complain("FuzzLoad: there are no inputs at \(arguments.joined(separator: ", "))\n")
        return 2
      }
      output("\(files.count) inputs: \(failureCount) violate a law")
      return failureCount == 0 ? 0 : 1
    } catch {
      complain("FuzzLoad: \(error)\n")
      return 2
    }
  }

  private func makeSeeds(_ folder: URL) -> Int32 {
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for example in Bombs.examples {
        let file = folder.appendingPathComponent(example.name + ".bin")
        try Data(example.bytes).write(to: file, options: .atomic)
        output("\(example.name).bin: \(example.bytes.count) bytes")
      }
      return 0
    } catch {
      complain("FuzzLoad: \(error)\n")
      return 2
    }
  }
}
