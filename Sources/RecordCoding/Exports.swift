// One import for who writes models: their protocols and the records themselves.
@_exported public import RecordModel
