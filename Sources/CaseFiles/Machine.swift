import Foundation

/// The machine of a run in a few words: system and processors.
package var machineDescription: String {
  let info = ProcessInfo.processInfo
  return "\(info.operatingSystemVersionString), \(info.activeProcessorCount) processors"
}
