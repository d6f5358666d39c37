#if !__has_include(<zlib.h>)
#error "zlib headers not found: apt-get install zlib1g-dev (or brew install zlib)"
#endif
#include <zlib.h>
