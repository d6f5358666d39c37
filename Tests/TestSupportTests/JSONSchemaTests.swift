import TestSupport
import Testing
import Texts

@Suite("JSON schema validator")
struct JSONSchemaTests {
  private func violations(_ schema: String, _ document: String) throws -> [String] {
    let schema = JSONSchema(try JSONValue(parsing: schema))
    return try schema.violations(in: JSONValue(parsing: document)).map(\.description)
  }

  @Test(
    "What fits is accepted",
    arguments: [
      ("true", "1"), ("{}", "null"), (#"{"type": "integer"}"#, "3"), (#"{"type": "number"}"#, "3"),
      (#"{"type": "number"}"#, "3.5"), (#"{"type": ["string", "null"]}"#, "null"),
      (#"{"enum": ["a", 1]}"#, "1"), (#"{"const": {"a": [1]}}"#, #"{"a": [1]}"#),
      (#"{"minimum": 0}"#, "0"), (#"{"minimum": 5}"#, #""text""#),
      (#"{"minLength": 1}"#, #""a""#), (#"{"pattern": "^[0-9]+$"}"#, #""12""#),
      (#"{"items": {"type": "string"}}"#, #"["a"]"#), (#"{"required": ["a"]}"#, #"{"a": null}"#),
      (#"{"properties": {"a": {"type": "string"}}}"#, #"{"b": 1}"#),
      (#"{"properties": {"a": true}, "additionalProperties": false}"#, #"{"a": 1}"#),
      (##"{"$ref": "#/$defs/n", "$defs": {"n": {"type": "null"}}}"##, "null"),
    ]
  )
  func accepts(_ schema: String, _ document: String) throws {
    #expect(try violations(schema, document) == [])
  }

  @Test(
    "What does not fit is refused, with its place",
    arguments: [
      ("false", "1", "/: is not allowed"),
      (#"{"type": "integer"}"#, "3.5", "/: is number, not integer"),
      (#"{"type": ["string", "null"]}"#, "1", "/: is integer, not string or null"),
      (#"{"enum": ["a"]}"#, #""b""#, "/: is none of the values allowed"),
      (#"{"const": 1}"#, "2", "/: is not the one value allowed"),
      (#"{"minimum": 0}"#, "-1", "/: is less than 0.0"),
      (#"{"minLength": 1}"#, #""""#, "/: is shorter than 1"),
      (#"{"pattern": "^[0-9]+$"}"#, #""1a""#, "/: does not match ^[0-9]+$"),
      (#"{"items": {"type": "string"}}"#, #"["a", 1]"#, "/1: is integer, not string"),
      (#"{"required": ["a"]}"#, "{}", "/: lacks a"),
      (#"{"properties": {"a": {"type": "string"}}}"#, #"{"a": 1}"#, "/a: is integer, not string"),
      (
        #"{"properties": {"a": true}, "additionalProperties": false}"#, #"{"b": 1}"#,
        "/b: is not allowed"
      ),
      (
        #"{"additionalProperties": {"type": "number"}}"#, #"{"b": ""}"#, "/b: is string, not number"
      ),
      (
        ##"{"items": {"$ref": "#/$defs/n"}, "$defs": {"n": {"type": "null"}}}"##, "[0]",
        "/0: is integer, not null"
      ),
    ]
  )
  func refuses(_ schema: String, _ document: String, _ message: String) throws {
    #expect(try violations(schema, document) == [message])
  }

  @Test(
    "Each keyword lets pass what it should and nothing else",
    arguments: [
      (#"{"type":"string"}"#, [#""a""#], ["1", "null", "[]"]),
      (#"{"type":"integer"}"#, ["1", "-0", "1e2"], ["1.5", #""1""#, "true"]),
      (#"{"type":"number"}"#, ["1.5"], ["false"]),
      (#"{"type":"null"}"#, ["null"], ["0"]),
      (#"{"type":"boolean"}"#, ["true"], ["1"]),
      (#"{"const":[1,"a"]}"#, [#"[1,"a"]"#], ["[1]", "1"]),
      (#"{"enum":["a",2]}"#, [#""a""#, "2"], [#""b""#, "3"]),
      (#"{"minimum":2,"maximum":4}"#, ["2", "4", #""x""#], ["1", "5"]),
      (#"{"pattern":"^a+$"}"#, [#""aa""#, "5"], [#""ab""#, #""""#]),
      (#"{"minItems":1}"#, ["[0]", "5"], ["[]"]),
      (#"{"items":{"type":"string"}}"#, ["[]", #"["a","b"]"#, "7"], [#"["a",1]"#]),
      (
        #"{"prefixItems":[{"const":1},{"const":2}],"items":false}"#, ["[]", "[1]", "[1,2]"],
        ["[2]", "[1,2,3]", "[1,1]"]
      ),
      (#"{"prefixItems":[{"const":1}],"items":{"const":2}}"#, ["[1,2,2]"], ["[1,2,1]"]),
      (#"{"properties":{"a":{"const":1}}}"#, ["{}", #"{"a":1,"b":2}"#, "[]"], [#"{"a":2}"#]),
      (#"{"required":["a","b"]}"#, [#"{"a":1,"b":2}"#, "5"], [#"{"a":1}"#, "{}"]),
      (
        #"{"properties":{"a":{}},"additionalProperties":false}"#, ["{}", #"{"a":1}"#],
        [#"{"b":1}"#]
      ),
      (#"{"additionalProperties":{"const":1}}"#, [#"{"a":1}"#], [#"{"a":2}"#]),
      (#"{"anyOf":[{"minimum":3},{"const":1}]}"#, ["1", "3"], ["2"]),
      (#"{"oneOf":[{"minimum":3},{"maximum":5}]}"#, ["1", "9"], ["4"]),
      (##"{"$defs":{"x":{"const":1}},"$ref":"#/$defs/x","title":"t"}"##, ["1"], ["2"]),
      ("true", ["1"], []),
      ("false", [], ["1"]),
    ]
  )
  func judges(_ schema: String, _ good: [String], _ bad: [String]) throws {
    for value in good { #expect(try violations(schema, value) == []) }
    for value in bad { #expect(try violations(schema, value) != [], "\(value)") }
  }

  @Test("A definition is a schema of its own")
  func definition() throws {
    let schema = JSONSchema(try JSONValue(parsing: #"{"$defs":{"n":{"type":"null"}}}"#))
    #expect(try schema.violations(in: .null, definition: "n").isEmpty)
    #expect(try schema.violations(in: .int(1), definition: "n").count == 1)
    #expect(throws: JSONSchema.Unreadable.self) {
      try schema.violations(in: .null, definition: "m")
    }
  }

  @Test(
    "A schema that is not understood is an error",
    arguments: [
      "1", #"{"oneOf": []}"#, ##"{"$ref": "#/$defs/none"}"##, #"{"$ref": "other.json"}"#,
      #"{"pattern": "("}"#, #"{"type": 1}"#, #"{"type": "date"}"#, #"{"minimum": "3"}"#,
      #"{"maxLength": 3}"#,
    ]
  )
  func unreadable(_ schema: String) {
    #expect(throws: JSONSchema.Unreadable.self) { try violations(schema, #""text""#) }
  }
}

@Suite("Markup reader")
struct MarkupTreeTests {
  @Test("Elements, attributes and texts are read")
  func reads() throws {
    let tree = try MarkupTree.read(
      "<!DOCTYPE a><a id=\"x\" class=\"p q\">1<b>&lt;2</b><!-- no --><b c=\"&quot;\"/>3</a>"
    )
    #expect(tree.name == "a")
    #expect(tree.classes == ["p", "q"])
    #expect(tree.text == "1<23")
    #expect(tree.all("b").map(\.attributes) == [[:], ["c": "\""]])
    #expect(tree.first(id: "x") === tree)
    #expect(tree.all(ofClass: "q").count == 1)
  }

  @Test("What is not well-formed is refused", arguments: ["<a>", "<a b></a>", "<a>&</a>", ""])
  func refuses(_ markup: String) {
    #expect(throws: MarkupTree.Malformed.self) { try MarkupTree.read(markup) }
  }
}

@Suite("SHA-256")
struct SHA256Tests {
  @Test(
    "The digests are those of the standard's examples",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ]
  )
  func digests(_ message: String, _ digest: String) {
    #expect(hexString(Array(sha256(Array(message.utf8)))) == digest)
  }
}
