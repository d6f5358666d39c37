package import PropertyEngine

/// What properties and commands of a user's tests are held to.
package enum PropertyLaw {
  package static let holds = LawStatement(
    "property.holds",
    "The property holds for every value.",
    source: .paper(
      "Claessen and Hughes, \"QuickCheck: A Lightweight Tool for Random Testing of Haskell Programs\", 2000"
    )
  )

  package static let commands = LawStatement(
    "commands.model",
    "The system does what the model says.",
    source: .paper("Hughes, \"QuickCheck Testing for Fun and Profit\", 2007", "4")
  )

  package static let linearizable = LawStatement(
    "commands.linearizable",
    "Concurrent commands have one order.",
    "For commands that run at the same time there is an order that keeps the order of each branch, and in "
      + "which the model returns what the system did.",
    source: .paper(
      "Herlihy and Wing, \"Linearizability: A Correctness Condition for Concurrent Objects\", 1990"
    ),
    advice: """
      Look for a value that is read, awaited upon, and then written: what another call did in between is lost.
      """
  )
}
