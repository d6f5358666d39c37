// The law `storage.alike-commits`.

import DocumentModel
import Histories
package import PropertyEngine

extension StorageLaws {
  /// Catches a bound of a file's work by its bytes alone: commits that say the same in turns take next to none.
  ///
  /// Some histories have a thousand such commits behind them, as an app has that commits each toggle by itself.
  package static var alikeCommits: Law<PickedHistory> {
    law(
      "storage.alike-commits",
      "Many alike commits are saved and loaded.",
      "A document with up to a thousand commits that set one flag in turns is loaded from what it saves, and is the same.",
      source: .decision(44)
    ) { document, sample in
      for number in 0...sample.pick(1) {
        _ = try document.apply(.put(.root, .key("done"), .boolean(number % 2 == 0)))
        document.commit()
      }
      let saved = document.save(compressed: sample.pick(2) % 2 == 1)
      var loaded = try R.load(saved, actor: other)
      return try loaded.departure(from: &document)
    }
  }
}
