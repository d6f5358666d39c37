// The law `storage.alike-commits`.

import DocumentModel
import Histories
package import PropertyEngine

extension StorageLaws {
  /// Catches a bound of a file's work by its bytes alone: commits that say the same in turns take next to none.
  ///
  /// Histories have up to a thousand such commits behind them, as an app has that commits each toggle by itself, and
  /// now and then some thousands, which is more than their bytes alone pay for.
  ///
  /// The last two commits have messages of one length, which are not the same.
  package static var alikeCommits: Law<PickedHistory> {
    law(
      "storage.alike-commits",
      "Many alike commits are saved and loaded.",
      "A document with thousands of commits that set one flag in turns is loaded from what it saves, and is the same.",
      source: .decision(44)
    ) { document, sample in
      let count = sample.pick(3) % 16 == 15 ? 4_000 + 16 * sample.pick(1) : sample.pick(1)
      for number in 0...count {
        _ = try document.apply(.put(.root, .key("done"), .boolean(number % 2 == 0)))
        document.commit()
      }
      for message: ExactString in ["a", "b"] {
        _ = try document.apply(.put(.root, .key("done"), .boolean(message == "a")))
        try document.commit(message: message, time: 0)
      }
      let saved = document.save(compressed: sample.pick(2) % 2 == 1)
      var loaded = try R.load(saved, actor: other)
      return try loaded.departure(from: &document)
    }
  }
}
