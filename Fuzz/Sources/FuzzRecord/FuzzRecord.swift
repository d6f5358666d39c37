import FuzzMain

#if !LibFuzzer
@main
private struct FuzzRecord {
  static func main() { replay() }
}
#endif
