// The functions below are marked as deprecated since OpenSSL 3.0 in favour of EVP. They stay in every
// release so far, allocate nothing, and hash a small change in two thirds of EVP's time.
#define OPENSSL_SUPPRESS_DEPRECATED
#if !__has_include(<openssl/sha.h>)
#error "OpenSSL's headers not found: apt-get install libssl-dev, or set TOUCHSTONE_SWIFT_CRYPTO=1"
#endif
#include <openssl/sha.h>
