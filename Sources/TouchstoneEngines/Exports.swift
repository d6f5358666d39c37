@_exported public import Touchstone
