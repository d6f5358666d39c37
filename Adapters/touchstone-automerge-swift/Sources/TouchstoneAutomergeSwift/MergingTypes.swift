public import Automerge
public import TouchstoneAdapters

// Tells the harness which types merge, so that values of models that hold them can be derived, and
// their content compared. Neither module can say so itself, since none of the two knows the other.

// swift-format-ignore: AvoidRetroactiveConformances
extension AutomergeText: @retroactive ModelText {}

// swift-format-ignore: AvoidRetroactiveConformances
extension Counter: @retroactive ModelCounter {}
