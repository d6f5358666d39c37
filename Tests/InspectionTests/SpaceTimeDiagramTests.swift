import Histories
import Inspection
import Testing

@Suite("The space-time diagram")
struct SpaceTimeDiagramTests {
  /// A history's steps, and its diagram.
  struct Snapshot: CustomStringConvertible {
    let name: String
    var healing = "merge"
    var replicas = 2
    let steps: String
    let diagram: String

    var description: String { name }
  }

  static let snapshots: [Snapshot] = [
    Snapshot(
      name: "edits and exchanges",
      steps: """
        r0 put root "k" int 1
        r0 commit
        r0 -> r1 merge
        r1 type text2 0 delete 1 insert "\\u{e9}"
        r1 -> r0 document
        """,
      diagram: """
              r0  r1
           1  ●   │   put root "k" int 1
           2  ●   │   commit
           3  ○──▶●   r0 -> r1 merge
           4  │   ●   type text2 0 delete 1 insert "\\u{e9}"
           5  ●◀──○   r1 -> r0 document
              ●═══●   heal: every pair exchanges both ways by merge
        """
    ),
    Snapshot(
      name: "messages, faults and machines",
      healing: "merge changes merge",
      replicas: 3,
      steps: """
        r0 -> r2 send m1 changes
        r2 -> r0 send m2 document
        clog r0 -> r2
        m2 deliver
        unclog r0 -> r2
        m1 deliver part 1
        m1 drop noise
        cut r0 r2
        r1 -> r0 send m3 merge
        m3 drop cut
        mend
        cut-outgoing r1
        r1 save s0
        r1 restart s0 actor 1
        """,
      diagram: """
              r0  r1  r2
           1  ○╌╌╌┼╌╌╌│   r0 -> r2 send m1 changes
           2  │╌╌╌┼╌╌╌○   r2 -> r0 send m2 document
           3  │···┼···│   clog r0 -> r2
           4  ●◀╌╌┼╌╌╌│   m2 deliver
           5  │···┼···│   unclog r0 -> r2
           6  │╌╌╌┼╌╌▶●   m1 deliver part 1
           7  │╌╌╌┼╌╌▶╳   m1 drop noise
           8  ┃   │   ┃   cut r0 r2
           9  │╌╌╌○   │   r1 -> r0 send m3 merge
          10  ╳◀╌╌│   │   m3 drop cut
          11  │   │   │   mend
          12  │   ┃   │   cut-outgoing r1
          13  │   ●   │   save s0
          14  │   ╳   │   restart s0 actor 1
              ●═══●═══●   heal: every pair exchanges both ways by changes, merge
        """
    ),
    Snapshot(
      name: "forks",
      healing: "",
      replicas: 1,
      steps: """
        r0 fork r1 actor 1
        r1 put root "k" int 1
        r0 fork r2 actor 2
        r2 -> r0 merge
        r0 -> r2 merge
        """,
      diagram: """
              r0  r1  r2
           1  ○──▶●       r0 fork r1 actor 1
           2  │   ●       put root "k" int 1
           3  ○───┼──▶●   r0 fork r2 actor 2
           4  ●◀──┼───○   r2 -> r0 merge
           5  ○───┼──▶●   r0 -> r2 merge
              ●═══●═══●   heal: every pair exchanges both ways
        """
    ),
    Snapshot(
      name: "nothing",
      steps: "",
      diagram: """
              r0  r1
              ●═══●   heal: every pair exchanges both ways by merge
        """
    ),
  ]

  @Test(
    "A history is drawn with a column for each replica and a line for each step",
    arguments: snapshots
  )
  func draws(_ snapshot: Snapshot) throws {
    let history = try History(
      text: """
        history 1
        base objects
        replicas \(snapshot.replicas)
        healing \(snapshot.healing)
        \(snapshot.steps)
        """
    )
    let lines = SpaceTimeDiagram(history).lines
    #expect(lines.joined(separator: "\n") == snapshot.diagram)
    #expect(lines.count == history.steps.count + 2)
  }

  @Test("A history that names what is not there is drawn as far as it goes")
  func survives() throws {
    let history = try History(
      text: """
        history 1
        base empty
        replicas 2
        healing merge
        r7 put root "k" int 1
        r9 commit
        r8 save s0
        r8 restart s0 actor 1
        r9 fork r2 actor 2
        r0 -> r7 merge
        r1 -> r1 merge
        r5 -> r0 send m1 merge
        m1 deliver
        m4 deliver
        m4 drop noise
        cut r6 r0
        clog r0 -> r9
        unclog r9 -> r0
        r0 delete list700 0
        """
    )
    let lines = SpaceTimeDiagram(history).lines
    #expect(lines.count == history.steps.count + 2)
    #expect(lines.first == "      r0  r1  r2")
    #expect(lines[1] == "   1  │   │       put root \"k\" int 1")
    #expect(lines[lines.count - 2].hasSuffix("delete object700 0"))
  }
}
