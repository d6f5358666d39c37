import Foundation
import FuzzEntryPoints

exit(
  FuzzProgram.run(
    arguments: CommandLine.arguments,
    environment: ProcessInfo.processInfo.environment
  )
)
