import SwiftSyntax

/// What the sources say of the types of parameters, so that two arguments are swapped only where
/// their types are the same.
struct SignatureIndex {
  /// Types of parameters, by the called name with its labels: `insert(_:at:)`, `Mark(start:end:)`.
  private var types: [String: [[String]]] = [:]
  /// Types of stored properties by type and name, for types without an initializer of their own.
  private var properties: [String: [String: String]] = [:]

  init(_ trees: [SourceFileSyntax]) {
    let visitor = SignatureVisitor(viewMode: .sourceAccurate)
    for tree in trees { visitor.walk(tree) }
    types = visitor.types
    properties = visitor.properties.filter { !visitor.initialised.contains($0.key) }
  }

  /// Whether an argument and the next one have parameters of one type.
  func areAlike(_ index: Int, of name: String, labels: [String?]) -> Bool {
    let key = Self.key(name, labels)
    if let candidates = types[key] {
      return candidates.contains { $0[index] == $0[index + 1] }
    }
    guard let known = properties[name], let one = labels[index], let other = labels[index + 1],
      let type = known[one]
    else { return false }
    return type == known[other]
  }

  fileprivate static func key(_ name: String, _ labels: [String?]) -> String {
    name + "(" + labels.map { "\($0 ?? "_"):" }.joined() + ")"
  }
}

private final class SignatureVisitor: SyntaxVisitor {
  var types: [String: [[String]]] = [:]
  var properties: [String: [String: String]] = [:]
  /// Types that declare an initializer.
  var initialised: Set<String> = []

  private func add(_ name: String, _ parameters: FunctionParameterListSyntax) {
    let labels = parameters.map { $0.firstName.text == "_" ? nil : $0.firstName.text }
    types[SignatureIndex.key(name, labels), default: []]
      .append(parameters.map { $0.ellipsis == nil ? $0.type.trimmedDescription : "..." })
  }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    add(node.name.text, node.signature.parameterClause.parameters)
    return .visitChildren
  }

  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    if let type = typeName(around: Syntax(node)) {
      initialised.insert(type)
      add(type, node.signature.parameterClause.parameters)
    }
    return .visitChildren
  }

  override func visit(_ node: EnumCaseElementSyntax) -> SyntaxVisitorContinueKind {
    if let parameters = node.parameterClause?.parameters {
      let labels = parameters.map { $0.firstName?.text == "_" ? nil : $0.firstName?.text }
      types[SignatureIndex.key(node.name.text, labels), default: []]
        .append(parameters.map(\.type.trimmedDescription))
    }
    return .skipChildren
  }

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    guard let members = node.parent?.is(MemberBlockItemSyntax.self), members,
      !node.modifiers.contains(where: { $0.name.text == "static" }),
      let type = typeName(around: Syntax(node))
    else { return .visitChildren }
    for binding in node.bindings where binding.accessorBlock == nil {
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self),
        let annotation = binding.typeAnnotation
      else { continue }
      properties[type, default: [:]][name.identifier.text] = annotation.type.trimmedDescription
    }
    return .visitChildren
  }

  /// The name of the nearest type or extension around a node.
  private func typeName(around node: Syntax) -> String? {
    var parent = node.parent
    while let current = parent {
      if let type = current.as(StructDeclSyntax.self) { return type.name.text }
      if let type = current.as(ClassDeclSyntax.self) { return type.name.text }
      if let type = current.as(EnumDeclSyntax.self) { return type.name.text }
      if let type = current.as(ActorDeclSyntax.self) { return type.name.text }
      if let type = current.as(ExtensionDeclSyntax.self) {
        return type.extendedType.trimmedDescription
      }
      parent = current.parent
    }
    return nil
  }
}
