import FuzzMain

#if !LibFuzzer
@main
private struct FuzzEncode {
  static func main() { replay() }
}
#endif
