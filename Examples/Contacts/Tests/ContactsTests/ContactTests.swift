import Contacts
import Foundation
import Testing
import Touchstone

@Suite("Contacts")
struct ContactTests {
  /// A folder for each device, which goes when the test is over.
  private func withFolders(_ body: (URL, URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("contacts-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let folders = ["phone", "desk"].map { folder.appendingPathComponent($0) }
    for folder in folders {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    try await body(folders[0], folders[1])
  }

  @Test("A contact is the same after it was a record")
  func contactIsSafe() async throws {
    try await expectLaws(of: Contact.self, with: .records)
  }

  @Test("Two devices that change other fields offline end with both changes")
  func devicesMeet() async throws {
    try await withFolders { phoneFolder, deskFolder in
      let server = ServerInMemory()
      let phone = try await ContactBook(in: phoneFolder, server: server)
      let desk = try await ContactBook(in: deskFolder, server: server)
      try await phone.save(Contact(id: "ada", name: "Ada"))
      try await phone.sync()
      try await desk.sync()
      var mine = try #require(await phone.contacts.first)
      var theirs = try #require(await desk.contacts.first)
      mine.nicknames = ["Countess"]
      theirs.website = URL(string: "https://example.org/ada")
      try await phone.save(mine)
      try await desk.save(theirs)
      for book in [phone, desk, phone] { try await book.sync() }
      let shown = await phone.contacts
      #expect(shown.map(\.nicknames) == [["Countess"]])
      #expect(shown.first?.website == theirs.website)
      #expect(await desk.contacts == shown)
    }
  }

  @Test("A reply that is lost makes no second contact, and loses none")
  func lostReply() async throws {
    try await withFolders { folder, _ in
      let server = ServerInMemory()
      let book = try await ContactBook(in: folder, server: server)
      try await book.save(Contact(id: "ada", name: "Ada"))
      await server.meet(.lostReply)
      try await book.sync()
      #expect(await server.records.count == 1)
      try await book.sync()
      #expect(await server.records.count == 1)
      var contact = try #require(await book.contacts.first)
      contact.isFavorite = true
      try await book.save(contact)
      await server.meet(.lostRequest)
      try await book.sync()
      try await book.sync()
      #expect(await server.records.first?["isFavorite"] == .int64(1))
    }
  }

  @Test("What was changed offline is there after a restart, and is sent then")
  func restart() async throws {
    try await withFolders { folder, other in
      let server = ServerInMemory()
      let first = try await ContactBook(in: folder, server: server)
      try await first.save(Contact(id: "ada", name: "Ada"))
      try await first.save(Contact(id: "bob", name: "Bob"))
      try await first.sync()
      var ada = try #require(await first.contacts.first)
      ada.name = "Ada Lovelace"
      try await first.save(ada)
      try await first.delete("bob")
      try await first.close()
      let again = try await ContactBook(in: folder, server: server)
      #expect(await again.contacts.map(\.name) == ["Ada Lovelace"])
      try await again.sync()
      let desk = try await ContactBook(in: other, server: server)
      try await desk.sync()
      #expect(await desk.contacts.map(\.name) == ["Ada Lovelace"])
    }
  }
}
