extension DocumentLaw {
  /// The whole catalogue, in the order in which laws are tried.
  package static let all: [DocumentLaw] =
    mergeLaws + deliveryLaws + syncLaws + contentLaws + refusalLaws + agreementLaws
    + cursorLaws + patchLaws + scenarioLaws + hostileLaws + markLaws
    + growingRunLaws
}
