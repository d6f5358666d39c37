#!/usr/bin/env bash
# Adds to a user's package the adapter of automerge-swift, on a module `Automerge` which is our own
# `ReferenceAutomerge`, so that it runs here, and the Swift code of the adapter's README.
#
# usage: Scripts/add-adapter.sh PACKAGE
#
# PACKAGE is the folder of a package whose `touchstone` is this one; its manifest gets the targets
# `Automerge`, `TouchstoneAutomergeSwift`, `touchstone-automerge-swift`, `AdapterTests` and `AdapterReadmeTests`.
#
# exit: 0 added, 1 the README has no Swift code, 64 usage.
set -euo pipefail
[ $# = 1 ] || { echo 'usage: Scripts/add-adapter.sh PACKAGE' >&2 && exit 64; }
user=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
adapter=Adapters/touchstone-automerge-swift
readme=$user/Tests/AdapterReadmeTests/README.swift

mkdir -p "$(dirname "$readme")" "$user/Tests/AdapterTests" "$user/Sources/Automerge"
awk '/^```swift$/ { inside = 1; next } /^```$/ { if (inside) print ""; inside = 0 } inside' \
  "$adapter/README.md" >"$readme"
[ -s "$readme" ] || { echo 'adapter: its README shows no Swift' >&2 && exit 1; }

cp -R "$adapter/Sources/TouchstoneAutomergeSwift" "$adapter/Sources/touchstone-automerge-swift" "$user/Sources/"
# automerge-swift's types learn there that they merge; ours know it already, from `CoderSubjects`.
rm "$user/Sources/TouchstoneAutomergeSwift/MergingTypes.swift"
printf '@_exported import %s\n' ReferenceAutomerge CoderSubjects >"$user/Sources/Automerge/Automerge.swift"
cat >"$user/Tests/AdapterTests/AdapterTests.swift" <<'SWIFT'
import Automerge
import Testing
import Touchstone
import TouchstoneAutomergeSwift

struct SharedPage: Codable {
  var title: String
  var body: AutomergeText
  var votes: Automerge.Counter
  var tags: [String]
  var parts: [Part]

  struct Part: Codable {
    var heading: String
    var text: AutomergeText
  }
}

/// The adapter does what each step asks for: on documents that keep every law, every law is kept.
@Test func adapterAnswersRightly() async throws {
  let subject = CodingSubject(AutomergeSwiftCoder(divergences: []))
  try await expectLaws(of: SharedPage.self, with: subject, cases: 400)
}

@Test func divergencesAreRead() {
  #expect(!AutomergeSwiftCoder.listed.isEmpty)
  #expect(!AutomergeSwiftCoder.losses.isEmpty)
}
SWIFT
cat >>"$user/Package.swift" <<'SWIFT'

package.targets += [
  .target(
    name: "Automerge",
    dependencies: [
      .product(name: "ReferenceAutomerge", package: "touchstone"),
      // It has `CoderSubjects`.
      .product(name: "Touchstone", package: "touchstone"),
    ]
  ),
  .target(
    name: "TouchstoneAutomergeSwift",
    dependencies: [
      "Automerge", .product(name: "AutomergeBytes", package: "touchstone"),
      .product(name: "Touchstone", package: "touchstone"),
      .product(name: "TouchstoneAdapters", package: "touchstone"),
    ],
    resources: [.embedInCode("divergences.json")]
  ),
  .executableTarget(name: "touchstone-automerge-swift", dependencies: ["Automerge"]),
]
package.targets += ["AdapterTests", "AdapterReadmeTests"].map { name in
  .testTarget(
    name: name,
    dependencies: [
      "Automerge", "TouchstoneAutomergeSwift",
      .product(name: "Touchstone", package: "touchstone"),
      .product(name: "TouchstoneAdapters", package: "touchstone"),
    ]
  )
}
SWIFT
