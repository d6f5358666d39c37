import Foundation
import MergeEngine

let path = CommandLine.arguments[1]
func cpu() -> Double {
  var t = timespec()
  unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t)
  return Double(t.tv_sec) * 1e3 + Double(t.tv_nsec) / 1e6
}
let json =
  try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
  as! [String: Any]
let txns = json["txns"] as! [[[Any]]]
var edits: [(Int, Int, String)] = []
for t in txns { for p in t { edits.append((p[0] as! Int, p[1] as! Int, p[2] as! String)) } }
for _ in 0..<5 {
  let doc = MergeDocument(actor: ActorID([UInt8](repeating: 1, count: 16)))
  let start = cpu()
  let text = try doc.putObject(.root, .key("text"), .text)
  for (p, d, s) in edits { try doc.spliceText(text, at: p, delete: d, insert: s) }
  let mid = cpu()
  doc.commit()
  let end = cpu()
  print(doc.heads, mid - start, end - mid)
  let r = cpu()
  let s = try doc.text(text)
  print(cpu() - r, s == (json["endContent"] as! String))
}
for _ in 0..<3 {
  let doc = MergeDocument(actor: ActorID([UInt8](repeating: 1, count: 16)))
  let start = cpu()
  let text = try doc.putObject(.root, .key("text"), .text)
  for (p, d, s) in edits {
    try doc.spliceText(text, at: p, delete: d, insert: s)
    doc.commit()
  }
  print(doc.heads, cpu() - start)
}
