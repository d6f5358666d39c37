package import Foundation
package import Texts

/// A headless Chromium, spoken to over its debugging pipe: one JSON message after the other, each
/// ended by a NUL.
///
/// Every call waits for its answer, at most ``answerTimeoutSeconds``; the browser ends with the
/// value that started it.
package final class Browser {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// How long the browser may take to answer.
  package static let answerTimeoutSeconds = 60

  /// Where Chromium stands; nil if it is not installed.
  package static let program: String? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"]
    return names.lazy.flatMap { name in folders.map { "\($0)/\(name)" } }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  /// What pages have logged as an error, and exceptions that were not caught, in their order.
  package private(set) var complaints: [String] = []

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let profile: URL
  private var buffer = Data()
  private var callCount = 0
  private var session: String?
  private var hasLoaded = false

  package init() throws {
    guard let program = Self.program else { throw Failure(description: "no Chromium") }
    profile = FileManager.default.temporaryDirectory
      .appendingPathComponent("touchstone-browser-\(UUID().uuidString)")
    // The pipe is at descriptors 3 and 4, which only a shell can give to a child here.
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c", "exec \"$0\" \"$@\" 3<&0 4>&1 >/dev/null 2>&1 </dev/null", program, "--headless",
      "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
      "--user-data-dir=\(profile.path)", "--remote-debugging-pipe", "about:blank",
    ]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let target = try call("Target.createTarget", ["url": "about:blank"])
    let id = target["targetId"]?.string ?? ""
    let attached = try call("Target.attachToTarget", ["targetId": id, "flatten": true])
    session = attached["sessionId"]?.string
    for domain in ["Runtime", "Log", "Page"] { try call("\(domain).enable") }
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: profile)
  }

  /// Shows a page of this width, in the colours asked for, and waits until it has loaded.
  package func open(_ page: URL, width: Int = 1200, isDark: Bool = false) throws {
    try call(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false]
    )
    let features = [
      ["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"],
      ["name": "prefers-reduced-motion", "value": "reduce"],
    ]
    try call("Emulation.setEmulatedMedia", ["media": "", "features": features])
    hasLoaded = false
    try call("Page.navigate", ["url": page.absoluteString])
    while !hasLoaded { try receive() }
  }

  /// Shows the page as paper does, until the next one is opened.
  package func showAsPaper() throws {
    try call("Emulation.setEmulatedMedia", ["media": "print"])
  }

  /// How many sheets the page takes on paper.
  package func sheetCount() throws -> Int {
    let answer = try call("Page.printToPDF", ["printBackground": true])
    guard let pdf = Data(base64Encoded: answer["data"]?.string ?? "") else {
      throw Failure(description: "no PDF: \(answer)")
    }
    return String(decoding: pdf, as: UTF8.self).matches(of: /\/Type\s*\/Page\b/).count
  }

  /// The value of a JavaScript expression.
  package func value(of expression: String) throws -> JSONValue {
    let answer = try call(
      "Runtime.evaluate",
      ["expression": expression, "returnByValue": true, "awaitPromise": true]
    )
    if answer["exceptionDetails"] != nil {
      throw Failure(description: "\(expression): \(answer)")
    }
    return answer["result"]?["value"] ?? .null
  }

  /// Presses a key that writes nothing: `Tab`, `ArrowDown`.
  package func press(_ key: String, code: Int) throws {
    for type in ["rawKeyDown", "keyUp"] {
      try call(
        "Input.dispatchKeyEvent",
        ["type": type, "key": key, "code": key, "windowsVirtualKeyCode": code]
      )
    }
  }

  /// Moves the pointer there, in pixels of the window.
  package func point(x: Double, y: Double) throws {
    try call("Input.dispatchMouseEvent", ["type": "mouseMoved", "x": x, "y": y])
  }

  @discardableResult
  private func call(_ method: String, _ parameters: [String: Any] = [:]) throws -> JSONValue {
    callCount += 1
    let number = callCount
    var message: [String: Any] = ["id": number, "method": method, "params": parameters]
    if let session { message["sessionId"] = session }
    let data = try JSONSerialization.data(withJSONObject: message)
    try input.fileHandleForWriting.write(contentsOf: data + [0])
    while true {
      let answer = try receive()
      guard answer["id"] == .int(Int64(number)) else { continue }
      if let error = answer["error"] { throw Failure(description: "\(method): \(error)") }
      return answer["result"] ?? .null
    }
  }

  /// Takes the next message, and remembers what it tells of the page.
  @discardableResult
  private func receive() throws -> JSONValue {
    while true {
      if let end = buffer.firstIndex(of: 0) {
        let message = try JSONValue(data: buffer[buffer.startIndex..<end])
        buffer = Data(buffer[(end + 1)...])
        note(message)
        return message
      }
      try waitForBytes()
      let bytes = output.fileHandleForReading.availableData
      guard !bytes.isEmpty else { throw Failure(description: "the browser has ended") }
      buffer += bytes
    }
  }

  private func waitForBytes() throws {
    var descriptor = pollfd(
      fd: output.fileHandleForReading.fileDescriptor,
      events: Int16(POLLIN),
      revents: 0
    )
    let ready = unsafe poll(&descriptor, 1, Int32(Self.answerTimeoutSeconds * 1000))
    guard ready > 0 else { throw Failure(description: "the browser does not answer") }
  }

  private func note(_ message: JSONValue) {
    let parameters = message["params"]
    switch message["method"]?.string {
    case "Page.loadEventFired": hasLoaded = true
    case "Runtime.exceptionThrown": complaints.append("exception: \(parameters ?? .null)")
    case "Runtime.consoleAPICalled" where ["error", "assert"].contains(parameters?["type"]?.string):
      complaints.append("console: \(parameters ?? .null)")
    case "Log.entryAdded" where parameters?["entry"]?["level"] != .string("verbose"):
      complaints.append("log: \(parameters?["entry"]?["text"] ?? .null)")
    default: break
    }
  }
}
