#if os(Linux) || os(macOS)
import Foundation

/// What this process was started with.
package enum ProcessStart {
  /// Whether all words of the command line are UTF-8; `CommandLine.arguments` repairs those that are not.
  package static var argumentsAreText: Bool {
    (0..<Int(CommandLine.argc)).allSatisfy { index in
      // The words live as long as the process.
      guard let word = unsafe CommandLine.unsafeArgv[index] else { return true }
      return unsafe String(validatingCString: word) != nil
    }
  }

  /// Takes a variable away from programs that this one starts.
  package static func forget(variable name: String) { unsafe unsetenv(name) }
}
#endif
