import Foundation
import MergeEngine

/// Runs one workload and prints one JSON object.
///
///     EngineBenchmark w1 [scale]
///
/// A scale makes the workload that many times as large; its heads are then others.
///
/// Reads `fixtures` of the working directory, or of the environment's `FIXTURES`.
@main
struct Main {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 2 else {
      print(
        """
        usage: EngineBenchmark WORKLOAD [scale]
        workloads: w1 w2 w3 w4 w5 w6 w7 w8 w9-friendsforever w9-clownschool w11 w12 w13 w1-memory
                   w2-memory face
        """
      )
      exit(64)
    }
    var workloads = Workloads(scale: arguments.count > 2 ? Int(arguments[2]) ?? 1 : 1)
    switch arguments[1] {
    case "w1": try workloads.w1()
    case "w1-profile": try workloads.w1Profile()
    case "w1-memory":
      try workloads.memory("w1", "automerge-paper-1-change.automerge")
    case "w2": try workloads.w2()
    case "w2-memory":
      try workloads.memory("w2", "automerge-paper-259778-changes.automerge")
    case "w3": try workloads.w3()
    case "w4": try workloads.w4()
    case "w5": try workloads.w5()
    case "w6": try workloads.w6()
    case "w7": try workloads.w7()
    case "w8": try workloads.w8()
    case "w9-friendsforever": try workloads.w9("friendsforever")
    case "w9-clownschool": try workloads.w9("clownschool")
    case "w11": try workloads.w11()
    case "w12": try workloads.w12()
    case "w13": try workloads.w13()
    case "face":
      var face = FaceWorkloads(rounds: arguments.count > 2 ? Int(arguments[2]) ?? 9 : 9)
      try face.run()
      return print(face.report.json)
    case "inspect": return try inspect(Array(arguments.dropFirst(2)))
    default:
      print("no workload \(arguments[1])")
      exit(64)
    }
    print(workloads.report.json)
  }
}
