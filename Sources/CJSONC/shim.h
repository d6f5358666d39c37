// Found without pkg-config, too: the folder's name is the same everywhere.
#if __has_include(<json-c/json.h>)
#include <json-c/json.h>
#elif __has_include(<json.h>)
#include <json.h>
#else
#error "json-c headers not found: apt-get install libjson-c-dev (or brew install json-c), or build without the trait JSONCOracle"
#endif
