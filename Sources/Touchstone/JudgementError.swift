import Texts

/// Why nothing could be judged: a mistake in the test or in its surroundings, no failure of a law.
public enum JudgementError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No subject has this id.
  case unknownSubject(String)
  /// The subject is known, and cannot be started here.
  case absentSubject(id: String, reason: String)
  /// No law has this name, or a name of this pattern.
  case unknownLaw(String)
  /// The text is no history or no case file; the reason names the line.
  case unreadable(reason: String)
  /// A file that a test keeps could not be written; the reason names it.
  case unwritable(reason: String)
  /// The law says nothing of the subject, or of this history.
  case notJudged(law: String, subject: String, reason: String)
  /// A variable of the environment, or an argument, makes no sense.
  case badSetting(variable: String, value: String, expected: String)
  /// No values can be made of a type; the reason says what to add.
  case notDerivable(type: String, reason: String)
  /// Nothing was judged: every law was skipped, or time ran out before the first case.
  case nothingJudged(type: String)
  /// Nine in ten cases of a property, or more, were discarded: by a filter, by the property itself, or as
  /// no values could be drawn.
  case starved(property: String, judged: Int, discarded: Int, reason: String)
  /// No edit of a type that merges changes what it shows, so that its laws hold of whatever it does.
  case nothingChanges(type: String)
  /// A type that merges says what it keeps, and no two of its replicas ever held different things.
  case nothingToLose(type: String)
  /// An edit of a type that merges made two different states of one state and the same choices.
  case unrepeatableEdit(type: String, edits: String)
  /// Replicas of a type that merges show different things before any edit.
  case unequalStarts(type: String, one: String, other: String)
  /// A system whose commands are to run at the same time is a value: each task would have its own copy.
  case unsharedSystem(type: String)
  /// A type that merges, or a model of commands, is a class, whose copies share what they hold.
  case sharedState(type: String)

  public var description: String {
    switch self {
    case .unknownSubject(let id):
      "there is no subject '\(id)': `touchstone list subjects` and `list mutants` name them all"
    case .absentSubject(let id, let reason): "the subject \(id) cannot be set up: \(reason)"
    case .unknownLaw(let name):
      "there is no law '\(name)': `touchstone list laws` names them all"
    case .unreadable(let reason): "this cannot be read: \(reason)"
    case .unwritable(let reason): "this cannot be written: \(reason)"
    case .notJudged(let law, let subject, let reason):
      "the law \(law) was not judged on \(subject): \(reason)"
    case .badSetting(let variable, let value, let expected):
      "\(variable) is '\(value)', and should be \(expected)"
    case .notDerivable(_, let reason): reason
    case .unsharedSystem(let type):
      "\(type) is a value, and each task would have its own copy: judge an actor or a class"
    case .sharedState(let type):
      "\(type) is a class: its copies would share one state; judge a struct that holds it"
    case .nothingChanges(let type):
      "no edit of \(type) changed what it shows, so that replicas which agree prove nothing"
    case .unrepeatableEdit(let type, let edits):
      "`edit` of \(type) made two different edits of the same choices: draw from `source` all that is random, and take "
        + "no ids, times or orders of sets from elsewhere; \(edits)"
    case .unequalStarts(let type, let one, let other):
      "replicas of \(type) differ before any edit, one shows \(one) and another \(other): leave the replica's id, and "
        + "what is random, out of `content`"
    case .nothingToLose(let type):
      "no replica of \(type) held anything to keep that another lacked, so that merges had nothing to lose"
    case .starved(let property, let judged, let discarded, let reason):
      "\(property) was judged on \(judged) of \(counted(judged + discarded, "case")), which proves too little; "
        + "the others were discarded: \(reason)"
    case .nothingJudged(let type): "nothing was judged on \(type)"
    }
  }
}
