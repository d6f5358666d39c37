#if !__has_include(<libdeflate.h>)
#error "libdeflate's header not found: apt-get install libdeflate-dev (or brew install libdeflate), or build without the trait LibDeflate"
#endif
#include <libdeflate.h>
