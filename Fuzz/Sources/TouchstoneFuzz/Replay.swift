import Foundation
import FuzzEntryPoints

#if !LibFuzzer
/// The program without libFuzzer: it judges stored inputs.
@main
private struct Replay {
  static func main() {
    exit(
      FuzzDriver.main(
        arguments: CommandLine.arguments,
        environment: ProcessInfo.processInfo.environment
      )
    )
  }
}
#endif
