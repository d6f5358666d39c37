import Foundation

/// Headers of C libraries, where compilers look for them unless they are told more.
enum CHeader {
  static let folders = ["/usr/include", "/usr/local/include", "/opt/homebrew/include"]

  /// The path of a header, such as `json-c/json.h`; `nil` if it is in none of the folders.
  static func path(of file: String) -> String? {
    folders.map { "\($0)/\(file)" }.first { FileManager.default.fileExists(atPath: $0) }
  }
}
