// Who makes or prints a report needs its words for numbers and its way with foreign text.
@_exported public import Texts
