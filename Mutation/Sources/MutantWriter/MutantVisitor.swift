import SwiftSyntax

/// Walks one file and writes down its mutants.
///
/// What it passes by: patterns, types, attributes, raw values, default arguments and conditional
/// compilation, where a change would not be one of what runs; texts for people and logs; checks that only
/// stop a program (`precondition`), and room that is only reserved.
final class MutantVisitor: SyntaxVisitor {
  private(set) var mutants: [SourceMutant] = []

  private let source: MutantWriter.Source
  private let bytes: [UInt8]
  private let lines: [Range<Int>]
  private let signatures: SignatureIndex
  /// Names of local constants and variables that get their first value later.
  private let lateNames: Set<String>

  init(
    _ source: MutantWriter.Source,
    _ tree: SourceFileSyntax,
    _ signatures: SignatureIndex
  ) {
    self.source = source
    self.signatures = signatures
    bytes = Array(source.text.utf8)
    var lines: [Range<Int>] = []
    var start = 0
    for (offset, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
      lines.append(start..<offset)
      start = offset + 1
    }
    self.lines = lines + [start..<bytes.count]
    let late = LateNames(viewMode: .sourceAccurate)
    late.walk(tree)
    lateNames = late.names
    super.init(viewMode: .sourceAccurate)
  }

  // MARK: - Writing down

  private func range(_ node: some SyntaxProtocol) -> Range<Int> {
    node.positionAfterSkippingLeadingTrivia
      .utf8Offset..<node.endPositionBeforeTrailingTrivia.utf8Offset
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  private func add(
    _ kind: SourceMutant.Operator,
    as form: PatchedChoice.Form,
    replacing range: Range<Int>,
    with wrong: String,
    at place: Int,
    in node: some SyntaxProtocol
  ) {
    let line = lines.firstIndex { place <= $0.upperBound } ?? lines.count - 1
    mutants.append(
      SourceMutant(
        file: source.path,
        line: line + 1,
        column: place - lines[line].lowerBound + 1,
        operator: kind,
        form: form,
        offset: range.lowerBound,
        right: text(range),
        wrong: wrong,
        sourceLine: text(lines[line]).trimmed,
        scope: self.range(scope(Syntax(node)))
      )
    )
  }

  private func replace(
    _ node: some SyntaxProtocol,
    by wrong: String,
    _ kind: SourceMutant.Operator
  ) {
    add(
      kind,
      as: .expression,
      replacing: range(node),
      with: wrong,
      at: range(node).lowerBound,
      in: node
    )
  }

  /// The text of a node with a part of it, or several, replaced; the parts in their order.
  private func text(of node: some SyntaxProtocol, _ parts: [(Range<Int>, String)]) -> String {
    let whole = range(node)
    var result = ""
    var position = whole.lowerBound
    for (part, replacement) in parts {
      result += text(position..<part.lowerBound) + replacement
      position = part.upperBound
    }
    return result + text(position..<whole.upperBound)
  }

  /// The function, initializer or variable around a node; the node itself if there is none.
  private func scope(_ node: Syntax) -> Syntax {
    var current: Syntax? = node
    while let candidate = current {
      let kinds: [SyntaxKind] = [
        .functionDecl, .initializerDecl, .deinitializerDecl, .subscriptDecl, .variableDecl,
      ]
      let isLocal =
        candidate.is(VariableDeclSyntax.self)
        && candidate.parent?.is(CodeBlockItemSyntax.self) == true
      if kinds.contains(candidate.kind), !isLocal { return candidate }
      current = candidate.parent
    }
    return node
  }

  // MARK: - What is passed by

  override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: EnumCaseElementSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind {
    .skipChildren
  }
  override func visit(_ node: FunctionParameterListSyntax) -> SyntaxVisitorContinueKind {
    .skipChildren
  }
  override func visit(_ node: GenericArgumentListSyntax) -> SyntaxVisitorContinueKind {
    .skipChildren
  }
  override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
    .skipChildren
  }
  override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    .skipChildren
  }
  override func visit(_ node: TypeAnnotationSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: TypeExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  /// Texts for people.
  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    let words: Set = ["description", "debugDescription", "errorDescription", "customMirror"]
    return node.bindings.contains { words.contains($0.pattern.trimmedDescription) }
      ? .skipChildren : .visitChildren
  }

  /// Calls that nothing shows, or that only end the process.
  private static let passedCalls: Set = [
    "assert", "assertionFailure", "fatalError", "hash", "precondition", "preconditionFailure",
    "reserveCapacity",
  ]

  // MARK: - Functions and calls

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    // A hash may be any.
    if node.name.text == "hash" || hasInlinable(node.attributes) { return .skipChildren }
    if node.signature.returnClause == nil, let first = node.body?.statements.first {
      let place = range(first).lowerBound
      add(
        .early,
        as: .insertion,
        replacing: place..<place,
        with: "return",
        at: place,
        in: node
      )
    }
    return .visitChildren
  }

  private func hasInlinable(_ attributes: AttributeListSyntax) -> Bool {
    attributes.contains { $0.trimmedDescription == "@inlinable" }
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    guard let name = node.calledName else { return .visitChildren }
    if isPassed(node) { return .skipChildren }
    swap(node, name)
    return .visitChildren
  }

  private func isPassed(_ call: FunctionCallExprSyntax) -> Bool {
    let base = call.calledExpression.as(MemberAccessExprSyntax.self)?.base?.trimmedDescription
    return base == "log" || call.calledName.map(Self.passedCalls.contains) == true
  }

  private func swap(_ call: FunctionCallExprSyntax, _ name: String) {
    let arguments = Array(call.arguments)
    guard call.trailingClosure == nil, arguments.count >= 2 else { return }
    let labels = arguments.map { $0.label?.text }
    for (index, (one, other)) in zip(arguments, arguments.dropFirst()).enumerated()
    where signatures.areAlike(index, of: name, labels: labels) {
      let (first, second) = (range(one.expression), range(other.expression))
      guard text(first) != text(second) else { continue }
      // A call whose value is unused stays a statement.
      let item = statement(ofWhole: Syntax(call))
      let whole = item.map { Syntax($0.item) } ?? Syntax(call)
      add(
        .swapped,
        as: item == nil ? .expression : .statements,
        replacing: range(whole),
        with: text(of: whole, [(first, text(second)), (second, text(first))]),
        at: first.lowerBound,
        in: call
      )
    }
  }

  override func visit(_ node: LabeledExprSyntax) -> SyntaxVisitorContinueKind {
    node.label?.text == "keepingCapacity" ? .skipChildren : .visitChildren
  }

  // MARK: - Statements

  override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
    guard let expression = node.item.as(ExprSyntax.self)?.withoutMarks, !isValue(node) else {
      return .visitChildren
    }
    if let call = expression.as(FunctionCallExprSyntax.self) {
      if !isPassed(call) { drop(node) }
    } else if let operation = expression.as(InfixOperatorExprSyntax.self),
      operation.isAssignment, !setsFirstValue(operation)
    {
      drop(node)
    }
    return .visitChildren
  }

  private func drop(_ item: CodeBlockItemSyntax) {
    let range = range(item.item)
    add(
      .dropped,
      as: .statements,
      replacing: range,
      with: "",
      at: range.lowerBound,
      in: item
    )
  }

  /// Whether a statement's value is what its closure, function or branch gives.
  private func isValue(_ item: CodeBlockItemSyntax) -> Bool {
    guard let list = item.parent?.as(CodeBlockItemListSyntax.self), list.count == 1,
      let container = list.parent
    else { return false }
    if container.is(ClosureExprSyntax.self) || container.is(AccessorBlockSyntax.self) {
      return true
    }
    if container.is(SwitchCaseSyntax.self) {
      return isValue(branching: container.parent?.parent)
    }
    guard let owner = container.parent else { return false }
    if let function = owner.as(FunctionDeclSyntax.self) {
      return function.signature.returnClause != nil
    }
    if let accessor = owner.as(AccessorDeclSyntax.self) {
      return accessor.accessorSpecifier.text == "get"
    }
    return owner.is(IfExprSyntax.self) && isValue(branching: owner)
  }

  private func isValue(branching node: Syntax?) -> Bool {
    guard let node, let parent = node.parent else { return false }
    // An `else if`.
    if parent.is(IfExprSyntax.self) { return isValue(branching: parent) }
    if let item = parent.as(CodeBlockItemSyntax.self) { return isValue(item) }
    guard parent.is(ExpressionStmtSyntax.self),
      let item = parent.parent?.as(CodeBlockItemSyntax.self)
    else { return true }
    return isValue(item)
  }

  /// Whether an assignment may be the first of its variable, which must have one.
  private func setsFirstValue(_ operation: InfixOperatorExprSyntax) -> Bool {
    guard operation.operator.is(AssignmentExprSyntax.self) else { return false }
    let left = operation.leftOperand
    if let name = left.as(DeclReferenceExprSyntax.self)?.baseName.text {
      return lateNames.contains(name) || isInInitializer(Syntax(operation))
    }
    let base = left.as(MemberAccessExprSyntax.self)?.base?.trimmedDescription
    return base == "self" && isInInitializer(Syntax(operation))
  }

  private func isInInitializer(_ node: Syntax) -> Bool {
    var current = node.parent
    while let candidate = current {
      if candidate.is(InitializerDeclSyntax.self) { return true }
      if candidate.is(FunctionDeclSyntax.self) || candidate.is(ClosureExprSyntax.self) {
        return false
      }
      current = candidate.parent
    }
    return false
  }

  /// The statement that an expression is, but for `try`, `await` and `unsafe` in front of it.
  private func statement(ofWhole node: Syntax) -> CodeBlockItemSyntax? {
    var current = node
    while let parent = current.parent {
      if let item = parent.as(CodeBlockItemSyntax.self) { return isValue(item) ? nil : item }
      guard
        parent.is(TryExprSyntax.self) || parent.is(AwaitExprSyntax.self)
          || parent.is(UnsafeExprSyntax.self)
      else { return nil }
      current = parent
    }
    return nil
  }

  // MARK: - Operators

  private static let comparisons = [
    "==": "!=", "!=": "==", "===": "!==", "!==": "===", "<": ">=", ">=": "<", ">": "<=",
    "<=": ">",
  ]
  private static let boundaries = ["<": "<=", "<=": "<", ">": ">=", ">=": ">"]
  private static let arithmetic = [
    "+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "&+": "&-", "&-": "&+", "&*": "&+",
    "<<": ">>", ">>": "<<", "&<<": "&>>", "&>>": "&<<", "&": "|", "|": "&", "^": "|",
  ]
  private static let updates = [
    "+=": "-=", "-=": "+=", "*=": "+=", "/=": "*=", "&+=": "&-=", "&-=": "&+=", "<<=": ">>=",
    ">>=": "<<=", "&=": "|=", "|=": "&=", "^=": "|=",
  ]
  private static let logic = ["&&": "||", "||": "&&"]

  override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    guard let symbol = node.operator.as(BinaryOperatorExprSyntax.self)?.operator else {
      return .visitChildren
    }
    let place = range(symbol)
    func write(_ kind: SourceMutant.Operator, _ other: String?) {
      guard let other else { return }
      add(
        kind,
        as: .expression,
        replacing: range(node),
        with: text(of: node, [(place, other)]),
        at: place.lowerBound,
        in: node
      )
    }
    write(.comparison, Self.comparisons[symbol.text])
    write(.boundary, Self.boundaries[symbol.text])
    write(.logic, Self.logic[symbol.text])
    if !node.joinsLiterals { write(.arithmetic, Self.arithmetic[symbol.text]) }
    if let other = Self.updates[symbol.text], !node.joinsLiterals,
      let item = statement(ofWhole: Syntax(node))
    {
      add(
        .arithmetic,
        as: .statements,
        replacing: range(item.item),
        with: text(of: item.item, [(place, other)]),
        at: place.lowerBound,
        in: node
      )
    }
    return .visitChildren
  }

  override func visit(_ node: PrefixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    if node.operator.text == "!", !isCondition(node) {
      replace(node, by: text(range(node.expression)), .logic)
    }
    return .visitChildren
  }

  private func isCondition(_ node: PrefixOperatorExprSyntax) -> Bool {
    guard let parent = node.parent else { return false }
    return parent.is(ConditionElementSyntax.self) || parent.is(WhereClauseSyntax.self)
      || parent.is(RepeatStmtSyntax.self)
      || parent.as(TernaryExprSyntax.self)?.condition.id == ExprSyntax(node).id
  }

  // MARK: - Conditions

  override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
    guard let condition = node.condition.as(ExprSyntax.self),
      !condition.is(BooleanLiteralExprSyntax.self)
    else { return .visitChildren }
    negate(condition)
    let isGuard = node.parent?.parent?.is(GuardStmtSyntax.self) == true
    replace(condition, by: isGuard ? "true" : "false", .skip)
    return .visitChildren
  }

  override func visit(_ node: WhereClauseSyntax) -> SyntaxVisitorContinueKind {
    negate(node.condition)
    return .visitChildren
  }

  override func visit(_ node: RepeatStmtSyntax) -> SyntaxVisitorContinueKind {
    negate(node.condition)
    return .visitChildren
  }

  override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
    negate(node.condition)
    return .visitChildren
  }

  private func negate(_ condition: ExprSyntax) {
    let prefix = condition.as(PrefixOperatorExprSyntax.self)
    let positive = prefix?.operator.text == "!" ? prefix?.expression : nil
    // The same as a comparison that is turned round.
    if let operation = condition.as(InfixOperatorExprSyntax.self),
      Self.comparisons[operation.operator.trimmedDescription] != nil
    {
      return
    }
    replace(
      condition,
      by: positive.map { text(range($0)) } ?? "!(\(text(range(condition))))",
      .condition
    )
  }

  // MARK: - Constants

  override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    let digits = node.literal.text.filter { $0 != "_" }
    let isHexadecimal = digits.hasPrefix("0x")
    guard let value = isHexadecimal ? UInt64(digits.dropFirst(2), radix: 16) : UInt64(digits),
      value < UInt64.max
    else { return .skipChildren }
    func written(_ value: UInt64) -> String {
      isHexadecimal ? "0x" + String(value, radix: 16) : String(value)
    }
    replace(node, by: written(value + 1), .constant)
    if value > 0 { replace(node, by: written(value - 1), .constant) }
    return .skipChildren
  }

  override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    if node.parent?.is(ConditionElementSyntax.self) != true {
      replace(node, by: node.literal.text == "true" ? "false" : "true", .constant)
    }
    return .skipChildren
  }
}

/// Names of local variables without a first value.
private final class LateNames: SyntaxVisitor {
  var names: Set<String> = []

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    guard node.parent?.is(CodeBlockItemSyntax.self) == true else { return .visitChildren }
    for binding in node.bindings where binding.initializer == nil {
      names.insert(binding.pattern.trimmedDescription)
    }
    return .visitChildren
  }
}

extension ExprSyntax {
  /// The expression behind `try`, `await` and `unsafe`.
  fileprivate var withoutMarks: ExprSyntax {
    if let marked = self.as(TryExprSyntax.self) { return marked.expression.withoutMarks }
    if let marked = self.as(AwaitExprSyntax.self) { return marked.expression.withoutMarks }
    if let marked = self.as(UnsafeExprSyntax.self) { return marked.expression.withoutMarks }
    return self
  }
}

extension FunctionCallExprSyntax {
  /// `insert` of `tree.insert(1)`.
  fileprivate var calledName: String? {
    if let member = calledExpression.as(MemberAccessExprSyntax.self) {
      return member.declName.baseName.text
    }
    return calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text
  }
}

extension InfixOperatorExprSyntax {
  /// Whether it sets or changes its left side.
  fileprivate var isAssignment: Bool {
    if self.operator.is(AssignmentExprSyntax.self) { return true }
    let symbol = self.operator.trimmedDescription
    return symbol.hasSuffix("=") && !["==", "!=", "<=", ">=", "===", "!=="].contains(symbol)
  }

  /// Whether it joins texts or arrays: a literal of one is among what it adds.
  fileprivate var joinsLiterals: Bool {
    [leftOperand, rightOperand].contains { operand in
      operand.is(StringLiteralExprSyntax.self) || operand.is(ArrayExprSyntax.self)
        || operand.as(InfixOperatorExprSyntax.self)?.joinsLiterals == true
    }
  }
}

extension String {
  fileprivate var trimmed: String {
    let start = drop(while: \.isWhitespace)
    return String(start.reversed().drop(while: \.isWhitespace).reversed())
  }
}
