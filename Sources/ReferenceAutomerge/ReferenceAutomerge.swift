@_exported public import AutomergeDocument
@_exported public import DocumentCoding
