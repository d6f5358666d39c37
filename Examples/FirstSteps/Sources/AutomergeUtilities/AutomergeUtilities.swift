@_exported import ReferenceAutomerge
