// One import for authors of models: their protocols and the records themselves.
@_exported public import RecordModel
