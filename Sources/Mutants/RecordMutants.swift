import Foundation
import RecordCoding
import RecordLaws
import RecordModel
import RecordServer
import RecordSubjects

/// All mutants of the coder of records and its server.
package let recordMutants: [RecordMutant] = recordCoderMutants + recordServerMutants

/// What becomes of values, of identity and marks, of what the model does not name, of dates and
/// hostile fields, of what the server's schema holds, and of two devices that edit one record.
///
/// A device cannot see most of them; they show on another device, or on the server.
private let recordCoderMutants: [RecordMutant] = [
  RecordMutant(
    "record-strings-normalised",
    "Texts are stored in one normal form.",
    caughtBy: ["record.returns"],
    breaking: { wrong in
      wrong.encoded = { record in
        record.mapped { _, value in
          guard case .string(let text) = value else { return value }
          return .string(text.precomposedStringWithCanonicalMapping)
        }
      }
    }
  ),
  RecordMutant(
    "record-marks-not-stored",
    "A stored record forgets which fields it has changed.",
    caughtBy: ["record.bytes-return"],
    breaking: { $0.storing = { $0.unmarked() } }
  ),
  RecordMutant(
    "record-damage-forgiven",
    "Damaged bytes are an empty record.",
    caughtBy: ["record.damage-refused", "record.one-form"],
    breaking: { wrong in
      wrong.forgiving = { _ in
        Record(recordType: "Note", recordID: RecordID(recordName: "damaged"))
      }
    }
  ),
  RecordMutant(
    "record-tag-forgotten",
    "A decoded value has no change tag.",
    caughtBy: ["record.identity-stays"],
    breaking: { $0.decoding = { $0.identified { $0.recordChangeTag = nil } } }
  ),
  RecordMutant(
    "record-zone-of-encoder",
    "The encoder's zone wins over that of the system fields.",
    caughtBy: ["record.identity-stays"],
    breaking: { wrong in
      wrong.encoded = { record in
        record.identified { fields in
          var moved = RecordSystemFields(
            recordType: fields.recordType,
            recordID: RecordID(recordName: fields.recordID.recordName)
          )
          moved.recordChangeTag = fields.recordChangeTag
          fields = moved
        }
      }
    }
  ),
  RecordMutant(
    "record-all-marked",
    "Every field is marked as changed, whatever the base has.",
    caughtBy: ["record.unchanged-unmarked", "devices.edit-alone"],
    breaking: { wrong in
      wrong.encoded = { record in
        record.with(
          encryptedFields: [:],
          changedKeys: record.changedKeySet.union(record.fields.keys)
        )
      }
    }
  ),
  RecordMutant(
    "record-unknown-removed",
    "Fields that the value does not name are removed.",
    caughtBy: ["record.unknown-stays"],
    breaking: { $0.right.options.unknownKeys = .remove }
  ),
  RecordMutant(
    "record-encrypted-twice",
    "What is encrypted stands beside it in the clear.",
    caughtBy: ["record.by-rules"],
    breaking: { wrong in
      wrong.encoded = { record in
        record.with(fields: record.fields.merging(record.encryptedFields) { $1 })
      }
    }
  ),
  RecordMutant(
    "record-nil-omitted",
    "A nil property leaves its field as it was.",
    caughtBy: ["record.nil-clears"],
    breaking: { $0.right.options.nilHandling = .omit }
  ),
  RecordMutant(
    "record-nil-unmarked",
    "A nil property removes its field, and does not mark it.",
    caughtBy: ["record.nil-clears"],
    breaking: { wrong in
      wrong.encoded = { record in
        record.with(
          encryptedFields: [:],
          changedKeys: record.changedKeySet.intersection(record.fields.keys)
        )
      }
    }
  ),
  RecordMutant(
    "record-unknown-case-replaced",
    "A raw value that the enumeration does not have is decoded as its first case.",
    caughtBy: ["record.enum-kept"],
    breaking: { wrong in
      wrong.decoding = { record in
        record.mapped { key, value in
          guard key == "mood", case .string(let raw) = value else { return value }
          return .string(["calm", "glad"].contains(raw) ? raw : "calm")
        }
      }
    }
  ),
  RecordMutant(
    "record-fields-limited",
    "Of more than 16 fields the last is forgotten.",
    caughtBy: ["record.sizes-return"],
    breaking: { wrong in
      wrong.encoded = { record in
        guard record.fields.count > 16, let last = record.fields.keys.max() else { return record }
        return record.with(fields: record.fields.filter { $0.key != last })
      }
    }
  ),
  RecordMutant(
    "record-dates-exact",
    "Dates keep fractions that the server drops.",
    caughtBy: ["record.dates-settle"],
    breaking: { $0.right.options.dates = .exact }
  ),
  RecordMutant(
    "record-dates-cut",
    "Dates are cut to milliseconds toward 1970.",
    caughtBy: ["record.dates-settle"],
    breaking: { wrong in
      wrong.right.options.dates = .exact
      wrong.encoded = { record in
        record.mapped { _, value in
          guard case .timestamp(let date) = value else { return value }
          let count = (date.timeIntervalSince1970 * 1000).rounded(.towardZero)
          return .timestamp(Date(timeIntervalSince1970: count / 1000))
        }
      }
    }
  ),
  RecordMutant(
    "record-refusals-untyped",
    "What does not fit is refused with an error that says nothing.",
    caughtBy: ["record.hostile-typed"],
    breaking: { $0.refusing = { _ in EmptyError() } }
  ),
  RecordMutant(
    "record-paths-dropped",
    "Errors of decoding have no path.",
    caughtBy: ["record.hostile-typed"],
    breaking: { wrong in
      wrong.refusing = { error in
        guard error is DecodingError else { return error }
        return DecodingError.dataCorrupted(
          DecodingError.Context(codingPath: [], debugDescription: "it does not fit")
        )
      }
    }
  ),
  RecordMutant(
    "record-floats-rounded",
    "A number with a fraction is rounded for an integer.",
    caughtBy: ["record.numbers-exact"],
    breaking: { wrong in
      wrong.decoding = { record in
        record.mapped { _, value in
          guard case .double(let number) = value, let whole = Int64(exactly: number.rounded())
          else {
            return value
          }
          return .int64(whole)
        }
      }
    }
  ),
  RecordMutant(
    "record-any-number-is-boolean",
    "The number 2 is 1, and so a boolean.",
    caughtBy: ["record.numbers-exact"],
    breaking: { wrong in
      wrong.decoding = { $0.mapped { _, value in value == .int64(2) ? .int64(1) : value } }
    }
  ),
  RecordMutant(
    "record-empty-list-untyped",
    "An empty list is a list of nothing.",
    caughtBy: ["record.kind-by-type"],
    breaking: { wrong in
      wrong.encoded = { record in
        record.mapped { _, value in
          guard case .list(let list) = value, list.count == 0 else { return value }
          return .list(.empty)
        }
      }
    }
  ),
  RecordMutant(
    "record-empty-structs-list",
    "An empty array of structs is a list, and another is bytes.",
    caughtBy: ["record.kind-by-type"],
    breaking: { wrong in
      wrong.encoded = { record in
        record.mapped { _, value in value == .bytes(Data("[]".utf8)) ? .list(.empty) : value }
      }
    }
  ),
  RecordMutant(
    "record-keys-escaped",
    "A key that no server takes is spelled otherwise, without a word.",
    caughtBy: ["record.keys-guarded"],
    breaking: { $0.right.options.keys = .escaped }
  ),
  RecordMutant(
    "record-size-unchecked",
    "Nothing is checked while a value is encoded, its size included.",
    caughtBy: ["record.size-guarded"],
    breaking: { $0.right.options.validation = .off }
  ),
  RecordMutant(
    "record-encodes-counted",
    "Each encode writes how many there were before.",
    caughtBy: ["record.repeatable"],
    breaking: { wrong in
      let counter = EncodeCounter()
      wrong.encoded = { record in
        var record = record
        record["encodes"] = .int64(counter.next())
        return record
      }
    }
  ),
  RecordMutant(
    "record-archives-forgiven",
    "System fields that are not read are those of a new record.",
    caughtBy: ["record.archives-extend", "record.reasons-named"],
    breaking: { $0.forgivesArchives = true }
  ),
  RecordMutant(
    "record-schema-hides-encryption",
    "A schema does not say which keys are encrypted.",
    caughtBy: ["record.schema"],
    breaking: { wrong in
      wrong.describing = { RecordSchema(recordType: $0.recordType, kinds: $0.kinds) }
    }
  ),
  RecordMutant(
    "record-schema-losses-untold",
    "A key that is gone is no change of a schema.",
    caughtBy: ["record.schema-changes"],
    breaking: { wrong in
      wrong.comparing = { changes in
        changes.filter { if case .removed = $0 { false } else { true } }
      }
    }
  ),
  RecordMutant(
    "record-dry-run-ends-early",
    "A dry run ends with the first rule that is broken.",
    caughtBy: ["record.dry-run"],
    breaking: { $0.blaming = { Array($0.prefix(1)) } }
  ),
  RecordMutant(
    "record-spelled-keys-unread",
    "Keys that were spelled otherwise are read as they are spelled.",
    caughtBy: ["record.keys-escaped"],
    breaking: { $0.reading = { $0.escapesKeys = false } }
  ),
  RecordMutant(
    "record-places-unguarded",
    "A value that stands in its place already is refused at the root.",
    caughtBy: ["record.one-place"],
    breaking: { wrong in
      wrong.refusingToEncode = { error in
        guard case EncodingError.invalidValue(let value, _) = error else { return error }
        let context = EncodingError.Context(codingPath: [], debugDescription: "it does not fit")
        return EncodingError.invalidValue(value, context)
      }
    }
  ),
  RecordMutant(
    "record-files-stay",
    "The files of a record are never deleted.",
    caughtBy: ["record.assets"],
    breaking: { $0.keepsFiles = true }
  ),
  RecordMutant(
    "record-preset-forgotten",
    "Who asks for what CloudKitCodable does gets what is done by itself.",
    caughtBy: ["record.options-hold"],
    breaking: { $0.asking = { $0.followsCloudKitCodable = false } }
  ),
  RecordMutant(
    "record-server-unchecked",
    "What servers refuse is checked as what devices do.",
    caughtBy: ["record.checks-as-asked"],
    breaking: { $0.asking = { if $0.checks == .server { $0.checks = .client } } }
  ),
  RecordMutant(
    "record-largest-untold",
    "Of a record that is too large only one large field is told.",
    caughtBy: ["record.sizes"],
    breaking: { wrong in
      wrong.blaming = { violations in
        violations.map { violation in
          guard case .tooLarge(let byteCount, let largest) = violation.rule else {
            return violation
          }
          return RecordViolation(
            violation.subject,
            .tooLarge(byteCount: byteCount, largest: Array(largest.prefix(1)))
          )
        }
      }
    }
  ),
  RecordMutant(
    "record-children-last",
    "A record comes before those that it refers to.",
    caughtBy: ["record.children"],
    breaking: { $0.children = { $0.reversed() } }
  ),
  RecordMutant(
    "record-parents-again",
    "A record that one within it refers back to is given once more, before it.",
    caughtBy: ["record.back-references"],
    breaking: {
      $0.children = { records in
        var known: Set<RecordID> = []
        return records.flatMap { record in
          known.insert(record.recordID)
          let back = record.references.map(\.recordID).filter { !known.contains($0) }
          return records.filter { back.contains($0.recordID) } + [record]
        }
      }
    }
  ),
  RecordMutant(
    "record-dangling-is-nil",
    "A reference that leads nowhere is nil, whatever the caller asked for.",
    caughtBy: ["record.children-missing"],
    breaking: { $0.reading = { $0.danglingIsNil = true } }
  ),
  RecordMutant(
    "record-fallback-forced",
    "An unknown case falls back where it was to be refused.",
    caughtBy: ["record.unknown-cases"],
    breaking: { $0.reading = { $0.refusesUnknownCases = false } }
  ),
  RecordMutant(
    "record-base-ignored",
    "The base record is not looked at.",
    caughtBy: ["record.base-refused"],
    breaking: { $0.based = { _ in nil } }
  ),
  RecordMutant(
    "record-rebase-refused",
    "Changes are never put on top of another state of the record.",
    caughtBy: ["devices.nothing-lost"],
    breaking: { $0.rebasing = { _, _ in nil } }
  ),
  RecordMutant(
    "record-rebase-drops-own",
    "In a conflict the server's record replaces the device's.",
    caughtBy: ["devices.nothing-lost"],
    breaking: { $0.rebasing = { $1.unmarked() } }
  ),
  RecordMutant(
    "record-rebase-drops-encrypted",
    "In a conflict the server's encrypted fields replace the device's.",
    caughtBy: ["record.rebases"],
    breaking: { wrong in
      wrong.rebasing = { mine, theirs in
        mine.rebased(onto: theirs)?.with(encryptedFields: theirs.encryptedFields)
      }
    }
  ),
  RecordMutant(
    "record-rebase-sends-all",
    "In a conflict all fields of the device's record replace the server's.",
    caughtBy: ["devices.nothing-lost"],
    breaking: { wrong in
      wrong.rebasing = { mine, theirs in
        var result = theirs.unmarked()
        for key in Set(mine.allKeys()).union(theirs.allKeys()).sorted() { result[key] = mine[key] }
        return result
      }
    }
  ),
]

/// The server is part of the harness, and these prove that the laws would notice if it were too
/// kind.
///
/// A coder that passes against a server without these rules would lose data against the real one.
private let recordServerMutants: [RecordMutant] = [
  RecordMutant(
    "server-tags-ignored",
    "A save with an old tag is carried out.",
    caughtBy: ["devices.old-tag-refused"],
    breaking: { $0.right.rules.comparesTags = false }
  ),
  RecordMutant(
    "server-retry-doubles",
    "A save of a record that is there makes another one.",
    caughtBy: ["devices.retry-once"],
    breaking: {
      $0.right.rules.comparesTags = false
      $0.right.rules.comparesIdentity = false
    }
  ),
  RecordMutant(
    "server-tags-stay",
    "A record keeps the tag of its first save.",
    caughtBy: ["devices.tags-move"],
    breaking: { $0.right.rules.movesTags = false }
  ),
  RecordMutant(
    "server-save-replaces",
    "A save replaces the whole record.",
    caughtBy: ["devices.other-fields-stay", "server.forced-save-merges"],
    breaking: { $0.right.rules.keepsOtherFields = false }
  ),
  RecordMutant(
    "server-clears-ignored",
    "A cleared field stays.",
    caughtBy: ["devices.clears-arrive"],
    breaking: { $0.right.rules.clearsFields = false }
  ),
  RecordMutant(
    "server-batches-parted",
    "An atomic request that fails in part leaves what was done.",
    caughtBy: ["devices.batch-whole", "server.by-rules"],
    breaking: { $0.right.rules.undoesFailedBatches = false }
  ),
  RecordMutant(
    "server-undone-deletions-told",
    "An atomic request that is undone says that its deletions were carried out.",
    caughtBy: ["server.by-rules"],
    breaking: { $0.right.rules.tellsUndoneDeletions = false }
  ),
  RecordMutant(
    "server-kinds-drift",
    "A field takes any kind at any time.",
    caughtBy: ["server.kind-fixed"],
    breaking: { $0.right.rules.fixesKinds = false }
  ),
  RecordMutant(
    "server-anything-taken",
    "A record may break any rule of names, encryption, numbers and sizes.",
    caughtBy: ["server.invalid-refused"],
    breaking: { $0.right.rules.checksRecords = false }
  ),
  RecordMutant(
    "server-types-share-kinds",
    "A field has the kind of the first save of its key in any type.",
    caughtBy: ["server.keeps-apart"],
    breaking: { $0.right.rules.partsTypes = false }
  ),
  RecordMutant(
    "server-references-unchecked",
    "A reference may lead to a record that is not there.",
    caughtBy: ["devices.no-dangling-owner"],
    breaking: { $0.right.rules.checksReferences = false }
  ),
  RecordMutant(
    "server-cascade-missing",
    "Nothing is deleted with a record.",
    caughtBy: ["devices.no-dangling-owner"],
    breaking: { $0.right.rules.cascade = .none }
  ),
  RecordMutant(
    "server-cascade-one-step",
    "What refers to a record is deleted with it, and what refers to that is not.",
    caughtBy: ["devices.no-dangling-owner"],
    breaking: { $0.right.rules.cascade = .oneStep }
  ),
  RecordMutant(
    "server-requests-unlimited",
    "A request may have any number of records.",
    caughtBy: ["server.request-limited"],
    breaking: { $0.right.rules.limitsRequests = false }
  ),
  RecordMutant(
    "server-counts-referrers-again",
    "A record that is saved again counts beside itself among those that refer to another.",
    caughtBy: ["server.references-limited"],
    breaking: { $0.right.rules.countsReferrersOnce = false }
  ),
  RecordMutant(
    "server-saves-twice",
    "A request may save one record twice.",
    caughtBy: ["server.invalid-refused"],
    breaking: { $0.right.rules.refusesDoubles = false }
  ),
  RecordMutant(
    "server-deletions-untold",
    "The changes never tell of deletions.",
    caughtBy: ["devices.changes-complete", "devices.converges"],
    breaking: { $0.right.rules.tellsDeletions = false }
  ),
  RecordMutant(
    "server-expired-answered",
    "An expired mark is answered as if nothing had happened.",
    caughtBy: ["devices.expired-told"],
    breaking: { $0.right.rules.tellsExpiredTokens = false }
  ),
  RecordMutant(
    "server-renewed-zone-answered",
    "A mark of a zone that was deleted and made again is taken for one of the new zone.",
    caughtBy: ["devices.expired-told"],
    breaking: { $0.right.rules.endsTokensOfZones = false }
  ),
]
