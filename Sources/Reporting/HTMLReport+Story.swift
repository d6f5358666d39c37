import PastRuns
import Texts

extension HTMLReport {
  /// The history as a space-time diagram: the diagram, its steps in words beside it, and a panel
  /// with the state after the step that is pointed at.
  func story(_ failure: Report.Failure, _ id: String, into page: inout Markup) {
    guard !failure.timeline.isEmpty else { return }
    let steps = Array(failure.timeline.prefix(Self.stepLimit))
    // Where no step was found to matter, no step is drawn as irrelevant.
    let isJudged = steps.contains(where: \.isEssential)
    let diagram = Diagram(steps, replicas: failure.replicas)
    // Where the two part, or else the end.
    let shown = steps.firstIndex { $0.oracleState != nil } ?? steps.count - 1
    page.element("div", class: "story") { page in
      page.element("div", class: "trace") { page in
        diagram.svg(
          into: &page,
          label: "Space-time diagram: \(counted(diagram.laneCount, "replica")), "
            + "\(counted(steps.count, "step")), told in the list that follows",
          isFaded: { isJudged && !steps[$0].isEssential }
        )
        page.element("ol", [Attribute("class", "steps"), Attribute("aria-label", "Steps")]) {
          page in
          for (index, step) in steps.enumerated() {
            let isFaded = isJudged && !step.isEssential
            self.step(step, "\(id)s\(index + 1)", isFaded, isShown: index == shown, into: &page)
          }
        }
      }
      panel(failure, steps: steps, id: id, shown: shown, into: &page)
    }
    remainder(failure.timeline.count - steps.count, "step", into: &page)
  }

  private func step(
    _ step: Report.TimelineStep,
    _ id: String,
    _ isFaded: Bool,
    isShown: Bool,
    into page: inout Markup
  ) {
    page.element("li", class: isFaded ? "faded" : "") { page in
      let attributes = [
        Attribute("type", "button"), Attribute("id", id),
        Attribute("data-lane", lane(of: step)),
        Attribute("aria-controls", "\(id)-state"), Attribute("aria-pressed", "\(isShown)"),
      ]
      page.element("button", attributes) { page in
        page.element("code", step.text.clipped(200))
        if step.oracleState != nil {
          page.raw("<span class=\"differs\"><span class=\"unseen\">differs</span></span>")
        }
        if isFaded { page.raw("<span class=\"unseen\"> (does not matter)</span>") }
      }
    }
  }

  /// The replica whose state the step changes: its number, `all`, or nothing.
  private func lane(of step: Report.TimelineStep) -> String {
    if step.kind == .heal { return "all" }
    guard !step.state.isEmpty || step.oracleState != nil else { return "" }
    return step.replicas.last.map(String.init) ?? ""
  }

  private func panel(
    _ failure: Report.Failure,
    steps: [Report.TimelineStep],
    id: String,
    shown: Int,
    into page: inout Markup
  ) {
    let attributes = [Attribute("class", "panel"), Attribute("aria-live", "polite")]
    page.element("div", attributes) { page in
      let start = page.byteCount
      page.element("div", [Attribute("class", "state"), Attribute("id", "\(id)s0-state")]) { page in
        page.element("p", class: "when", "Before the first step")
        if failure.start.isEmpty {
          page.element("p", class: "note", "All replicas are as they started.")
        } else {
          page.element("div", class: "pair") { page in
            let lines = failure.start.prefix(40).map {
              [TextComparison.Piece(text: $0.clipped(160), isCommon: true)]
            }
            state("Every replica", lines, into: &page)
          }
        }
      }
      for (index, step) in steps.enumerated() {
        let attributes = [
          Attribute("class", index == shown ? "state shown" : "state"),
          Attribute("id", "\(id)s\(index + 1)-state"),
        ]
        page.element("div", attributes) { page in
          let lane = lane(of: step)
          let replica = lane.isEmpty ? "" : lane == "all" ? " at every replica" : " at r\(lane)"
          page.element("p", class: "when") { page in
            page.add("After step \(index + 1)\(replica)")
            if step.oracleState != nil {
              page.element("span", class: "differs", "differs")
            }
          }
          page.element("p", class: "step") { page in
            page.element("code", step.text.clipped(400))
          }
          guard page.byteCount - start < Self.stateByteLimit else {
            page.element("p", class: "note", "The state stands in report.json.")
            return
          }
          states(failure, step, into: &page)
        }
      }
    }
  }

  private func states(
    _ failure: Report.Failure,
    _ step: Report.TimelineStep,
    into page: inout Markup
  ) {
    let own = Array(step.state.prefix(40)).map { $0.clipped(160) }
    let lane = lane(of: step)
    // Healing changes every replica: the lines name them where they show different states.
    let place =
      switch lane {
      case "": ""
      case "all": step.namesReplicas == false ? "every replica of " : ""
      default: "r\(lane) of "
      }
    let subject = place + failure.subject.clipped(60)
    page.element("div", class: "pair") { page in
      guard let oracle = step.oracleState else {
        if own.isEmpty {
          page.element("p", class: "note", "No replica changes.")
        } else {
          state(subject, own.map { [TextComparison.Piece(text: $0, isCommon: true)] }, into: &page)
        }
        return
      }
      let other = Array(oracle.prefix(40)).map { $0.clipped(160) }
      let (expected, actual) = compared(other, own)
      state(place + (failure.oracle ?? "oracle").clipped(60), expected, into: &page)
      state(subject, actual, into: &page)
    }
    let left = max(step.state.count, step.oracleState?.count ?? 0) - 40
    remainder(left, "line", into: &page)
  }

  /// Two whole states, each under its own name, what differs marked.
  func sides(
    _ expected: Report.Failure.Side,
    _ actual: Report.Failure.Side,
    into page: inout Markup
  ) {
    let limit = 40
    let (left, right) = compared(
      expected.state.prefix(limit).map { $0.clipped(160) },
      actual.state.prefix(limit).map { $0.clipped(160) }
    )
    page.element("div", class: "pair") { page in
      state(expected.name.clipped(160), left, into: &page)
      state(actual.name.clipped(160), right, into: &page)
    }
    remainder(max(expected.state.count, actual.state.count) - limit, "line", into: &page)
  }

  /// The lines of both, cut where they differ: within a line where as many lines differ on either
  /// side, else by whole lines.
  private func compared(
    _ expected: [String],
    _ actual: [String]
  ) -> (expected: [[TextComparison.Piece]], actual: [[TextComparison.Piece]]) {
    let lines = LineComparison(expected, actual)
    func whole(_ texts: [String], _ isCommon: [Bool]) -> [[TextComparison.Piece]] {
      zip(texts, isCommon).map { [TextComparison.Piece(text: $0, isCommon: $1)] }
    }
    var left = whole(expected, lines.left)
    var right = whole(actual, lines.right)
    let leftRows = lines.left.indices.filter { !lines.left[$0] }
    let rightRows = lines.right.indices.filter { !lines.right[$0] }
    guard leftRows.count == rightRows.count else { return (left, right) }
    for (leftRow, rightRow) in zip(leftRows, rightRows) {
      let visible = rules.visible
      let words = TextComparison(
        expected: visible(expected[leftRow]),
        actual: visible(actual[rightRow])
      )
      left[leftRow] = words.expected
      right[rightRow] = words.actual
    }
    return (left, right)
  }

  private func state(
    _ party: String,
    _ lines: [[TextComparison.Piece]],
    into page: inout Markup
  ) {
    page.element("figure") { page in
      page.element("figcaption", "\(party) shows")
      page.element("pre") { page in
        if lines.isEmpty { page.element("em", "nothing") }
        for (index, pieces) in lines.enumerated() {
          if index > 0 { page.raw("\n") }
          for piece in pieces {
            if piece.isCommon { page.add(piece.text) } else { page.element("mark", piece.text) }
          }
        }
      }
    }
  }
}
