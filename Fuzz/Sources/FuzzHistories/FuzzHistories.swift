import FuzzMain

#if !LibFuzzer
@main
private struct FuzzHistories {
  static func main() { replay() }
}
#endif
