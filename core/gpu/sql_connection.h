#pragma once

#include <optional>
#include <string>
#include <vector>

struct sqlite3;

namespace loom::gpu {

/// A connection to an SQLite database file. Whoever owns it opens it with sqlite3_open(file, &handle); the destructor
/// closes it.
struct SqlConnection {
  sqlite3* handle = nullptr;  ///< null until the file is opened

  SqlConnection() = default;
  SqlConnection(const SqlConnection&) = delete;
  SqlConnection& operator=(const SqlConnection&) = delete;
  ~SqlConnection();

  /// Runs a statement with the texts `parameters` bound to its parameters, in order. Returns the rows of the result,
  /// each a list of its columns as text, which is empty for NULL. Returns nothing if the statement can't be run to its
  /// end: sqlite3_errmsg(handle) says why. The file must be open.
  std::optional<std::vector<std::vector<std::string>>> run(const char* sql,
                                                           const std::vector<std::string>& parameters = {});
};

}  // namespace loom::gpu
