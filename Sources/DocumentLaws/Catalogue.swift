extension DocumentLaw {
  /// The whole catalogue, in the order in which laws are tried.
  package static let all: [DocumentLaw] =
    mergeLaws + deliveryLaws + syncLaws + contentLaws + refusalLaws + agreementLaws
    + cursorLaws + patchLaws + scenarioLaws + hostileLaws

  /// Those that hold whatever units a text counts: the others know the effects of edits from the specification
  /// that counts scalars.
  package static let ofAllUnits = all.filter { $0.isAgreement || $0.name == callsSucceed.name }
}
