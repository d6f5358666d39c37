import DocumentModel

/// Finds where changes arrive ahead of others that their sender sent before to the same receiver.
///
/// What is sent to a receiver as changes is what it was not sent before; so an arrival leaves a gap
/// if anything sent earlier on the same way was lost, is still under way, or was forgotten by a
/// receiver that started again. A message that did not arrive as a whole counts as missing.
///
/// Worked example: the second message has what r0 wrote since the first.
///
///     r0 put root "k" int 1
///     r0 -> r1 send m1 changes
///     r0 put root "k" int 2
///     r0 -> r1 send m2 changes
///     m2 deliver                   early: m1, sent before on the same way, is not there
///     m1 deliver
///
/// Used by conditions with the member `arrives`.
struct EarlyArrivals {
  private struct Link: Hashable {
    let from: Int
    let to: Int
  }

  /// `nextPart` is the first part that has not come in order.
  private struct Message {
    let link: Link
    /// Its place among the messages of its link.
    let place: Int
    var nextPart = 0
  }

  private var messages: [Int: Message] = [:]
  /// Messages of changes on each link so far; the places count from 0.
  private var sentCounts: [Link: Int] = [:]
  /// Places of the messages that arrived whole.
  private var arrived: [Link: Set<Int>] = [:]

  /// Whether the step makes changes arrive early; steps are to be given in their order.
  mutating func isEarly(_ step: Step) -> Bool {
    switch step {
    case .send(let number, let from, let to, .changes):
      messages[number] = nextMessage(Link(from: from, to: to))
      return false
    case .exchange(let from, let to, .changes):
      return arrive(nextMessage(Link(from: from, to: to)))
    case .deliver(let number, nil):
      return messages[number].map { arrive($0) } ?? false
    case .deliver(let number, let part?):
      guard var message = messages[number] else { return false }
      let isEarly = part > message.nextPart || hasGap(before: message)
      if part == message.nextPart { message.nextPart += 1 }
      messages[number] = message
      return isEarly
    case .restart(let replica, _, _):
      // What it had taken in is gone with its memory, whatever the slot held: rather too often
      // early than too seldom.
      for link in arrived.keys where link.to == replica { arrived[link] = [] }
      return false
    default:
      return false
    }
  }

  private mutating func nextMessage(_ link: Link) -> Message {
    let place = sentCounts[link, default: 0]
    sentCounts[link] = place + 1
    return Message(link: link, place: place)
  }

  private mutating func arrive(_ message: Message) -> Bool {
    let isEarly = hasGap(before: message)
    arrived[message.link, default: []].insert(message.place)
    return isEarly
  }

  /// Asked of all messages sent before on the link.
  private func hasGap(before message: Message) -> Bool {
    let known = arrived[message.link, default: []]
    return !(0..<message.place).allSatisfy(known.contains)
  }
}
