#if !__has_include(<sqlite3.h>)
#error "SQLite headers not found: apt-get install libsqlite3-dev"
#endif
#include <sqlite3.h>
