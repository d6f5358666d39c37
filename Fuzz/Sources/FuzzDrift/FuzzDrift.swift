import FuzzMain

#if !LibFuzzer
@main
private struct FuzzDrift {
  static func main() { replay() }
}
#endif
