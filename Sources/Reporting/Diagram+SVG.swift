import Texts

extension Diagram {
  /// Sizes in CSS pixels; the page's style and script know ``rowHeight`` and ``headHeight``, too.
  static let rowHeight = 34.0
  static let headHeight = 30.0
  /// Of the ring around a state that differs.
  private static let ringRadius = 11.0

  /// The fewer lanes, the more room for each.
  var laneWidth: Double {
    switch laneCount {
    case ...2: 72
    case 3: 54
    case 4: 46
    case 5...6: 40
    default: 30
    }
  }

  var width: Double { Double(laneCount) * laneWidth }
  var height: Double { Self.headHeight + Double(rowCount) * Self.rowHeight + 6 }

  /// Writes the diagram as an inline SVG; a step that does not matter `isFaded`.
  func svg(into page: inout Markup, label: String, isFaded: (Int) -> Bool) {
    let attributes = [
      Attribute("class", "space"), Attribute("role", "img"), Attribute("aria-label", label),
      Attribute("width", pixels(width)), Attribute("height", pixels(height)),
      Attribute("viewBox", "0 0 \(pixels(width)) \(pixels(height))"),
      Attribute("data-lane", pixels(laneWidth)),
    ]
    page.element("svg", attributes) { page in
      page.empty(
        "rect",
        [
          Attribute("class", "cursor"), Attribute("x", "0"), Attribute("y", "-100"),
          Attribute("width", pixels(width)), Attribute("height", pixels(Self.rowHeight)),
        ]
      )
      let rings = parts.compactMap { part -> Point? in
        guard case .mark(.differs, let point) = part.shape else { return nil }
        return point
      }
      for part in parts {
        let fading = part.step.map(isFaded) == true ? " faded" : ""
        page.element("g", class: part.shape.className + fading) { page in
          draw(part.shape, rings: Set(rings), into: &page)
        }
      }
      for lane in 0..<laneCount {
        let place = position(Point(lane: Double(lane), row: 0)).x
        page.element(
          "text",
          [Attribute("class", "replica"), Attribute("x", pixels(place)), Attribute("y", "17")],
          "r\(lane)"
        )
      }
    }
  }

  private func position(_ point: Point) -> (x: Double, y: Double) {
    ((point.lane + 0.5) * laneWidth, Self.headHeight + (point.row + 0.5) * Self.rowHeight)
  }

  private func draw(_ shape: Shape, rings: Set<Point>, into page: inout Markup) {
    switch shape {
    case .life(let lane, let from, let to):
      line(Point(lane: Double(lane), row: from), Point(lane: Double(lane), row: to), into: &page)
    case .cut(let lane, let from, let to):
      let start = position(Point(lane: Double(lane), row: from))
      let end = position(Point(lane: Double(lane), row: to))
      let width = laneWidth * 0.72
      rectangle(
        start.x - width / 2,
        start.y,
        width: width,
        height: max(end.y - start.y, 4),
        into: &page
      )
    case .clog(let from, let to, let start, let end):
      let left = position(Point(lane: Double(min(from, to)), row: start))
      let right = position(Point(lane: Double(max(from, to)), row: end))
      let margin = laneWidth * 0.28
      rectangle(
        left.x + margin,
        left.y,
        width: right.x - left.x - 2 * margin,
        height: max(right.y - left.y, 4),
        into: &page
      )
    case .arrow(let from, let to): arrow(from, to, rings: rings, into: &page)
    case .mutual(let one, let other):
      arrow(one, other, rings: rings, into: &page)
      arrow(other, one, rings: rings, into: &page)
    case .loss(let from, let to):
      line(from, to, into: &page)
      cross(at: position(to), into: &page)
    case .pending(let from, let to): line(from, to, into: &page)
    case .branch(let from, let to):
      let start = position(from)
      let end = position(to)
      path("M\(pixels(start.x)) \(pixels(start.y))H\(pixels(end.x))", into: &page)
    case .heal(let row, _):
      let left = position(Point(lane: 0, row: row))
      let right = position(Point(lane: Double(laneCount - 1), row: row))
      let margin = laneWidth * 0.3
      rectangle(
        left.x - margin,
        left.y - 7,
        width: right.x - left.x + 2 * margin,
        height: 14,
        into: &page
      )
    case .mark(let mark, let point): draw(mark, at: position(point), into: &page)
    }
  }

  private func draw(_ mark: Mark, at place: (x: Double, y: Double), into page: inout Markup) {
    switch mark {
    case .edit: circle(place, radius: 6, into: &page)
    case .commit:
      path("M\(pixels(place.x - 7)) \(pixels(place.y))h14", into: &page)
    case .send: circle(place, radius: 4, into: &page)
    case .arrival: circle(place, radius: 3, into: &page)
    case .fork: circle(place, radius: 4.5, into: &page)
    case .differs: circle(place, radius: Self.ringRadius, into: &page)
    case .save: rectangle(place.x - 5, place.y - 5, width: 10, height: 10, into: &page)
    case .restart:
      // Two strokes over the gap in the lane, and the new life's start.
      let top = place.y - Self.rowHeight * 0.25
      path("M\(pixels(place.x - 8)) \(pixels(top))l16 -6", into: &page)
      path("M\(pixels(place.x - 8)) \(pixels(top + 6))l16 -6", into: &page)
      circle(place, radius: 4.5, into: &page)
    }
  }

  /// A line with a head, which ends short of the point, and outside of a ring around it, so that marks stay
  /// free.
  private func arrow(_ from: Point, _ to: Point, rings: Set<Point>, into page: inout Markup) {
    let start = position(from)
    let end = position(to)
    let (x, y) = (end.x - start.x, end.y - start.y)
    let length = (x * x + y * y).squareRoot()
    guard length > 1 else { return }
    let (alongX, alongY) = (x / length, y / length)
    // Between narrow lanes two rings leave no room: the arrow then begins and ends within them.
    let room = max(length - 10, 0) / 2
    let before = rings.contains(from) ? min(Self.ringRadius + 1, room) : 0
    let behind = rings.contains(to) ? min(Self.ringRadius + 1, room) : 5
    let tail = (x: start.x + alongX * before, y: start.y + alongY * before)
    let tip = (x: end.x - alongX * behind, y: end.y - alongY * behind)
    let neck = (x: tip.x - alongX * 8, y: tip.y - alongY * 8)
    path(
      "M\(pixels(tail.x)) \(pixels(tail.y))L\(pixels(neck.x)) \(pixels(neck.y))",
      into: &page
    )
    let left = (x: neck.x - alongY * 4, y: neck.y + alongX * 4)
    let right = (x: neck.x + alongY * 4, y: neck.y - alongX * 4)
    page.empty(
      "path",
      [
        Attribute("class", "head"),
        Attribute(
          "d",
          "M\(pixels(tip.x)) \(pixels(tip.y))L\(pixels(left.x)) \(pixels(left.y))"
            + "L\(pixels(right.x)) \(pixels(right.y))Z"
        ),
      ]
    )
  }

  private func cross(at place: (x: Double, y: Double), into page: inout Markup) {
    let (left, top) = (pixels(place.x - 5), pixels(place.y - 5))
    page.empty(
      "path",
      [Attribute("class", "lost"), Attribute("d", "M\(left) \(top)l10 10m0 -10l-10 10")]
    )
  }

  private func line(_ from: Point, _ to: Point, into page: inout Markup) {
    let start = position(from)
    let end = position(to)
    path("M\(pixels(start.x)) \(pixels(start.y))L\(pixels(end.x)) \(pixels(end.y))", into: &page)
  }

  private func path(_ data: String, into page: inout Markup) {
    page.empty("path", [Attribute("d", data)])
  }

  private func circle(_ at: (x: Double, y: Double), radius: Double, into page: inout Markup) {
    page.empty(
      "circle",
      [
        Attribute("cx", pixels(at.x)), Attribute("cy", pixels(at.y)),
        Attribute("r", pixels(radius)),
      ]
    )
  }

  private func rectangle(
    _ x: Double,
    _ y: Double,
    width: Double,
    height: Double,
    into page: inout Markup
  ) {
    page.empty(
      "rect",
      [
        Attribute("x", pixels(x)), Attribute("y", pixels(y)), Attribute("width", pixels(width)),
        Attribute("height", pixels(height)), Attribute("rx", "3"),
      ]
    )
  }
}

extension Diagram.Shape {
  fileprivate var className: String {
    switch self {
    case .life: "life"
    case .cut: "cut"
    case .clog: "clog"
    case .arrow, .mutual: "way"
    case .loss: "way loss"
    case .pending: "way pending"
    case .branch: "branch"
    case .heal(_, let differs): differs ? "heal parted" : "heal"
    case .mark(let mark, _): "mark \(mark)"
    }
  }
}

/// The number to a tenth of a pixel, without a needless fraction.
private func pixels(_ value: Double) -> String {
  let tenths = Int((value * 10).rounded())
  guard !tenths.isMultiple(of: 10) else { return String(tenths / 10) }
  let sign = tenths < 0 ? "-" : ""
  return "\(sign)\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
}
