// The models of W10: `Benchmarks/README.md` says what is done with them.

struct Record: Codable {
  var id: Int
  var name: String
  var email: String
  var age: Int
  var score: Double
  var active: Bool
  var tags: [String]
  var note: String?
}

struct Records: Codable {
  var records: [Record]
}

/// 50 fields in a circle of five kinds.
struct Fields: Codable {
  var f0: Int, f1: Double, f2: String, f3: Bool, f4: Int?
  var f5: Int, f6: Double, f7: String, f8: Bool, f9: Int?
  var f10: Int, f11: Double, f12: String, f13: Bool, f14: Int?
  var f15: Int, f16: Double, f17: String, f18: Bool, f19: Int?
  var f20: Int, f21: Double, f22: String, f23: Bool, f24: Int?
  var f25: Int, f26: Double, f27: String, f28: Bool, f29: Int?
  var f30: Int, f31: Double, f32: String, f33: Bool, f34: Int?
  var f35: Int, f36: Double, f37: String, f38: Bool, f39: Int?
  var f40: Int, f41: Double, f42: String, f43: Bool, f44: Int?
  var f45: Int, f46: Double, f47: String, f48: Bool, f49: Int?

  init(_ n: Int) {
    func int(_ i: Int) -> Int { i * (n + 1) }
    func double(_ i: Int) -> Double { Double(i) * 1.25 + Double(n) }
    func string(_ i: Int) -> String { "value-\(i)-\(n)" }
    func bool(_ i: Int) -> Bool { i % (n + 2) == 0 }
    func maybe(_ i: Int) -> Int? { i % 2 == 1 ? i : nil }
    (f0, f1, f2, f3, f4) = (int(0), double(1), string(2), bool(3), maybe(4))
    (f5, f6, f7, f8, f9) = (int(5), double(6), string(7), bool(8), maybe(9))
    (f10, f11, f12, f13, f14) = (int(10), double(11), string(12), bool(13), maybe(14))
    (f15, f16, f17, f18, f19) = (int(15), double(16), string(17), bool(18), maybe(19))
    (f20, f21, f22, f23, f24) = (int(20), double(21), string(22), bool(23), maybe(24))
    (f25, f26, f27, f28, f29) = (int(25), double(26), string(27), bool(28), maybe(29))
    (f30, f31, f32, f33, f34) = (int(30), double(31), string(32), bool(33), maybe(34))
    (f35, f36, f37, f38, f39) = (int(35), double(36), string(37), bool(38), maybe(39))
    (f40, f41, f42, f43, f44) = (int(40), double(41), string(42), bool(43), maybe(44))
    (f45, f46, f47, f48, f49) = (int(45), double(46), string(47), bool(48), maybe(49))
  }
}

struct Structs: Codable {
  var structs: [Fields]
}

/// One link of a chain of 21.
final class Tree: Codable {
  let v: Int
  let s: String
  let child: Tree?
  let list: [Int]

  init(_ number: Int, depth: Int) {
    v = number
    s = "node-\(number)-\(depth)"
    child = depth > 0 ? Tree(number, depth: depth - 1) : nil
    list = [number, depth, number + depth]
  }
}

struct Trees: Codable {
  var trees: [Tree]
}

/// The records and trees of a run, always the same.
enum Workload {
  static func records(_ count: Int = 10_000) -> Records {
    var random = SplitMix(0xCA)
    // The numbers of the GeoJSON file come first.
    for _ in 0..<470 * 120 * 2 { _ = random.next() }
    func word(_ length: Int) -> String {
      var word = ""
      for _ in 0..<length { word += random.letter() }
      return word
    }
    let records = (0..<count).map { id in
      let name = word(12)
      let email = word(8) + "@" + word(6) + ".com"
      let age = random.below(90)
      let thousandths = random.below(1_000_000)
      let active = random.below(2) != 0
      let tags = (0..<3).map { _ in word(5) }
      let note = random.below(2) != 0 ? nil : word(30)
      return Record(
        id: id,
        name: name,
        email: email,
        age: age,
        score: Double(thousandths) / 1000,
        active: active,
        tags: tags,
        note: note
      )
    }
    return Records(records: records)
  }
}
