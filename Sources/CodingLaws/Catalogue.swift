import PropertyEngine

extension CodingLaw {
  /// The whole catalogue, in the order in which laws are tried.
  ///
  /// Cases take the laws in turn, each case with a stream of the seed of its own. So a law that is added
  /// gives other samples to all of them.
  package static let all: [CodingLaw] =
    roundTripLaws + documentLaws + relatedLaws + editedListLaws + movingReferenceLaws + storyLaws
    + twinLaws + otherFormLaws + pairLaws + driftLaws + encodingOptionLaws + kindsReadAsOthersLaws
    + dateLaws + textLaws + counterLaws + placeLaws + bindingLaws + pathLaws + concurrencyLaws
    + arbitraryLaws + wordingLaws + peerLaws + jsonLaws + containerPathLaws + ownElementLaws
    + lateValueLaws + mergedValueLaws
}

extension LawSource {
  /// One of the ten requirements that the rules of coding are distilled into.
  static func requirement(_ number: Int) -> LawSource {
    .specification(.codable, "Requirements", item: number)
  }
}
