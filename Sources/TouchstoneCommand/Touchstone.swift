import ArgumentParser

/// The command `touchstone`.
@main
struct Touchstone: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "touchstone",
    abstract: "Judges CRDT engines by laws, on random concurrent histories over a faulty network.",
    discussion: """
      Start here:
        touchstone check                        everything that is set up, for a minute
        touchstone check --cases 1000 --seed 7  the same cases every time, on any number of jobs
        touchstone list laws                    what is demanded
        touchstone selftest                     does the harness find bugs that were put in?

      A violated law leaves a case file with the smallest history that was found for it:
        touchstone show FILE                    look at it
        touchstone replay FILE                  judge it again

      Automerge files, for the eye, as JSON, merged or damaged:
        touchstone doc --help

      Exit status: 0 all laws held (or a departure is known and listed), 1 a law was violated,
      2 a subject or the harness failed or nothing ran, 64 the command was not understood.
      """,
    version: "0.1.0",
    subcommands: [
      CheckCommand.self, SelfTestCommand.self, ReplayCommand.self, ShrinkCommand.self,
      ShowCommand.self, ListCommand.self, WorldsCommand.self, AdapterGroup.self, DocGroup.self,
      DamageCommand.self, MutantCommand.self,
    ]
  )
}
