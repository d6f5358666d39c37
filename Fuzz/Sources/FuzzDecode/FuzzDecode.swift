import FuzzMain

#if !LibFuzzer
@main
private struct FuzzDecode {
  static func main() { replay() }
}
#endif
