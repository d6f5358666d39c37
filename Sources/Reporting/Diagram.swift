/// The space-time diagram of a history: replicas are lines that run down, time runs with them.
///
/// Step `k` stands in row `k`; places between rows and lanes are fractions of these. Nothing here
/// has a size yet: ``Diagram/svg(into:)`` gives it one.
struct Diagram {
  struct Point: Hashable {
    var lane: Double
    var row: Double
  }

  /// How a point on a lane looks.
  enum Mark: Hashable {
    case edit
    case commit
    case send
    case arrival
    case save
    case restart
    case fork
    /// The subject shows something else than the oracle.
    case differs
  }

  enum Shape: Hashable {
    /// A replica lives, from one row to another.
    case life(lane: Int, from: Double, to: Double)
    /// The lane is cut off from the others.
    case cut(lane: Int, from: Double, to: Double)
    /// Messages from one lane to the other wait.
    case clog(from: Int, to: Int, start: Double, end: Double)
    /// A state travels.
    case arrow(Point, Point)
    /// What was sent never arrives; the second point is where it is lost.
    case loss(Point, Point)
    /// What was sent has not arrived when the history ends.
    case pending(Point, Point)
    /// A new replica starts from another.
    case branch(Point, Point)
    case mark(Mark, Point)
    /// All replicas exchange what they have; afterwards they may show something else than the oracle.
    case heal(row: Double, differs: Bool = false)
    /// Two replicas exchange what they have.
    case mutual(Point, Point)
  }

  /// A shape, and the step it belongs to; lanes and bands belong to none.
  struct Part: Hashable {
    var step: Int?
    var shape: Shape
  }

  /// Lanes a diagram has at most; what happens on further ones is written in words only.
  static let laneLimit = 12

  let laneCount: Int
  let rowCount: Int
  /// In the order in which they are drawn.
  private(set) var parts: [Part] = []

  init(_ steps: some Collection<Report.TimelineStep>, replicas: Int) {
    let named = steps.flatMap(\.replicas).filter { (0..<Self.laneLimit).contains($0) }.max() ?? 0
    laneCount = min(max(replicas, named + 1, 1), Self.laneLimit)
    rowCount = steps.count
    var drawing = Drawing(laneCount: laneCount, rowCount: rowCount)
    for (row, step) in steps.enumerated() { drawing.add(step, row: row) }
    parts = drawing.finish()
  }
}

/// What is under way while the steps are gone through.
private struct Drawing {
  struct Message {
    var point: Diagram.Point
    var receiver: Int?
    var isSettled = false
  }

  let laneCount: Int
  let rowCount: Int
  /// Since when each lane is there.
  var births: [Double]
  var cuts: [(lane: Int, row: Double)] = []
  var clogs: [(from: Int, to: Int, row: Double)] = []
  /// By number; what lies under way at the end is read in the order of sending.
  var messages: [Int: Message] = [:]
  var sent: [Int] = []
  var bands: [Diagram.Part] = []
  var lives: [Diagram.Part] = []
  var parts: [Diagram.Part] = []

  init(laneCount: Int, rowCount: Int) {
    self.laneCount = laneCount
    self.rowCount = rowCount
    births = Array(repeating: -0.5, count: laneCount)
  }

  mutating func add(_ step: Report.TimelineStep, row: Int) {
    let lanes = step.replicas.filter { (0..<laneCount).contains($0) }
    let height = Double(row)
    func point(_ lane: Int) -> Diagram.Point { Diagram.Point(lane: Double(lane), row: height) }
    func draw(_ shape: Diagram.Shape) { parts.append(Diagram.Part(step: row, shape: shape)) }
    let differs = step.oracleState != nil
    // Healing changes every replica: two have a ring each, the bar of more tells it by itself.
    let changed = step.kind != .heal ? lanes.suffix(1) : lanes.count == 2 ? lanes[...] : []
    if differs { for lane in changed { draw(.mark(.differs, point(lane))) } }
    switch step.kind {
    case .edit: for lane in lanes.suffix(1) { draw(.mark(.edit, point(lane))) }
    case .commit: for lane in lanes.suffix(1) { draw(.mark(.commit, point(lane))) }
    case .save: for lane in lanes.suffix(1) { draw(.mark(.save, point(lane))) }
    case .restart:
      for lane in lanes.suffix(1) {
        lives.append(life(lane, to: height - 0.25))
        births[lane] = height
        draw(.mark(.restart, point(lane)))
      }
    case .fork:
      guard let last = lanes.last else { break }
      if let first = lanes.first, first != last {
        births[last] = height
        draw(.branch(point(first), point(last)))
      }
      draw(.mark(.fork, point(last)))
    case .exchange:
      guard let first = lanes.first, let last = lanes.last, first != last else { break }
      draw(.arrow(point(first), point(last)))
      draw(.mark(.arrival, point(first)))
      draw(.mark(.arrival, point(last)))
    case .send, .deliver, .drop: addMessage(step, lanes, row: row)
    case .cut:
      for lane in lanes where !cuts.contains(where: { $0.lane == lane }) {
        cuts.append((lane, height))
      }
    case .mend: endCuts(at: height)
    case .clog:
      guard let first = lanes.first, let last = lanes.last, first != last else { break }
      clogs.append((first, last, height))
    case .unclog:
      guard let first = lanes.first, let last = lanes.last else { break }
      endClogs(at: height) { $0 == first && $1 == last }
    case .heal:
      endCuts(at: height - 0.5)
      endClogs(at: height - 0.5) { _, _ in true }
      if lanes.count == 2 {
        draw(.mutual(point(lanes[0]), point(lanes[1])))
      } else {
        draw(.heal(row: height, differs: differs))
      }
    }
  }

  /// A message leaves, arrives or is lost; `lanes` are those of its sender and its receiver.
  private mutating func addMessage(_ step: Report.TimelineStep, _ lanes: [Int], row: Int) {
    let height = Double(row)
    func point(_ lane: Int) -> Diagram.Point { Diagram.Point(lane: Double(lane), row: height) }
    func draw(_ shape: Diagram.Shape) { parts.append(Diagram.Part(step: row, shape: shape)) }
    if step.kind == .send {
      guard let first = lanes.first else { return }
      draw(.mark(.send, point(first)))
      guard let message = step.message else { return }
      let receiver = lanes.last == first ? nil : lanes.last
      messages[message] = Message(point: point(first), receiver: receiver)
      sent.append(message)
      return
    }
    if step.kind == .deliver, lanes.isEmpty { return }
    let known = settle(step.message)
    let start = known?.point ?? lanes.first.map(point)
    if step.kind == .drop {
      guard let start else { return }
      let end = Double(known?.receiver ?? lanes.last ?? Int(start.lane))
      let lost = Diagram.Point(lane: start.lane + (end - start.lane) * 0.6, row: height)
      draw(.loss(start, lost))
    } else if let last = lanes.last {
      if let start, start.lane != Double(last) { draw(.arrow(start, point(last))) }
      draw(.mark(.arrival, point(last)))
    }
  }

  private mutating func settle(_ message: Int?) -> Message? {
    guard let message, let known = messages[message] else { return nil }
    messages[message]?.isSettled = true
    return known
  }

  private func life(_ lane: Int, to end: Double) -> Diagram.Part {
    Diagram.Part(step: nil, shape: .life(lane: lane, from: births[lane], to: end))
  }

  private mutating func endCuts(at row: Double) {
    for cut in cuts {
      bands.append(
        Diagram.Part(step: nil, shape: .cut(lane: cut.lane, from: cut.row, to: row))
      )
    }
    cuts = []
  }

  private mutating func endClogs(at row: Double, where matches: (Int, Int) -> Bool) {
    for clog in clogs where matches(clog.from, clog.to) {
      bands.append(
        Diagram.Part(
          step: nil,
          shape: .clog(from: clog.from, to: clog.to, start: clog.row, end: row)
        )
      )
    }
    clogs.removeAll { matches($0.from, $0.to) }
  }

  /// Everything, what lies below first.
  mutating func finish() -> [Diagram.Part] {
    let end = Double(rowCount) - 0.5
    endCuts(at: end)
    endClogs(at: end) { _, _ in true }
    lives += (0..<laneCount).map { life($0, to: max(end, births[$0])) }
    let pending = sent.compactMap { number -> Diagram.Part? in
      guard let message = messages[number], !message.isSettled, let receiver = message.receiver
      else { return nil }
      messages[number]?.isSettled = true
      let from = message.point.lane
      let stub = Diagram.Point(
        lane: from + (Double(receiver) - from) * 0.5,
        row: min(end, message.point.row + 1.5)
      )
      return Diagram.Part(
        step: Int(message.point.row),
        shape: .pending(message.point, stub)
      )
    }
    var rings: [Diagram.Part] = []
    var lines: [Diagram.Part] = []
    var marks: [Diagram.Part] = []
    for part in parts {
      switch part.shape {
      case .mark(.differs, _): rings.append(part)
      case .mark: marks.append(part)
      default: lines.append(part)
      }
    }
    return bands + lives + rings + pending + lines + marks
  }
}
