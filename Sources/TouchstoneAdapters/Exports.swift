@_exported public import CodingLaws
@_exported public import CodingSupport
@_exported public import ModelGeneration
