extension CodingLaw {
  /// The whole catalogue, in the order in which laws are tried.
  package static let all: [CodingLaw] =
    roundTripLaws + documentLaws + driftLaws + dateLaws + referenceLaws + pathLaws
    + concurrencyLaws + arbitraryLaws + wordingLaws + peerLaws + jsonLaws
}
