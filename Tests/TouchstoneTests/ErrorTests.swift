import Testing
import Touchstone

@Suite("Errors of expectations in sentences")
struct JudgementErrorTests {
  /// Every case with its sentence.
  static let errors: [(JudgementError, String)] = [
    (
      .unknownSubject("engin"),
      "there is no subject 'engin': `touchstone list subjects` and `list mutants` name them all"
    ),
    (
      .absentSubject(id: "loro", reason: "python3 is not installed"),
      "the subject loro cannot be set up: python3 is not installed"
    ),
    (
      .unknownLaw("merge.commute"),
      "there is no law 'merge.commute': `touchstone list laws` names them all"
    ),
    (
      .unreadable(reason: "line 3: expected a step"),
      "this cannot be read: line 3: expected a step"
    ),
    (
      .notJudged(law: "merge.sets", subject: "foundation-json", reason: "it has no documents"),
      "the law merge.sets was not judged on foundation-json: it has no documents"
    ),
    (
      .badSetting(variable: "TOUCHSTONE_CASES", value: "many", expected: "a number"),
      "TOUCHSTONE_CASES is 'many', and should be a number"
    ),
    (
      .notDerivable(type: "Note", reason: "no values can be made of Note: give `samples:`"),
      "no values can be made of Note: give `samples:`"
    ),
    (.nothingJudged(type: "Note"), "nothing was judged on Note"),
    (
      .starved(property: "sorted", judged: 3, discarded: 97, reason: "it is even"),
      "sorted was judged on 3 of 100 cases, which proves too little; the others were discarded: "
        + "it is even"
    ),
    (
      .nothingChanges(type: "Shelf"),
      "no edit of Shelf changed what it shows, so that replicas which agree prove nothing"
    ),
    (
      .nothingToLose(type: "Shelf"),
      "no replica of Shelf held anything to keep that another lacked, so that merges had nothing to lose"
    ),
    (
      .unsharedSystem(type: "Int"),
      "Int is a value, and each task would have its own copy: judge an actor or a class"
    ),
    (
      .sharedState(type: "Shelf"),
      "Shelf is a class: its copies would share one state; judge a struct that holds it"
    ),
  ]

  @Test("A test that judged nothing says why, and what to do", arguments: errors)
  func sentence(_ error: JudgementError, _ text: String) {
    #expect(error.description == text)
  }

  @Test("A case that is left out says why")
  func discarded() {
    #expect(Discarded("it is even").description == "discarded: it is even")
  }
}
