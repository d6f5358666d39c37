import PropertyEngine
import Testing

@Suite("Names of forms of samples")
struct FormNameTests {
  @Test("A name is its kind and its version, and is read back from the text that it has in a case")
  func roundTrip() {
    let name = FormName("stored history", version: 12)
    #expect("\(name)" == "stored history 12")
    #expect(FormName(text: "stored history 12") == name)
    #expect(FormName(text: "\(FormName("a", version: 0))") == FormName("a", version: 0))
  }

  @Test(
    "A name of another make has no version, and stays as it is",
    arguments: [
      "", "a", "fuzz-input/1", "a 01", "a +1", "a 1 ", "a x", "a  ", "1", "a 99999999999999999999",
    ]
  )
  func others(_ text: String) {
    let name = FormName(text: text)
    #expect(name == FormName(text, version: nil))
    #expect("\(name)" == text)
  }

  @Test("Names of two versions are of one kind, and are ordered by their text")
  func kinds() {
    let names = ["coding 2", "coding 1", "bomb 1"].map { FormName(text: $0) }
    #expect(names[0] != names[1] && names[0].kind == names[1].kind)
    #expect(names.sorted().map(\.description) == ["bomb 1", "coding 1", "coding 2"])
  }
}
