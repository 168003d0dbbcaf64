// Tensor intrinsics: what a tile computes, in TVMScript, and what the hardware does instead. They are read from files;
// the program knows none by itself. File format: assets/intrinsics/README.md.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/result.h"
#include "core/ir/stmt.h"

namespace loom::intrin {

// The threads that execute a block together.
enum class ExecutionGroup : std::uint8_t { Thread, Warp, Warpgroup, Block, Cluster };

// A tensor intrinsic: what it computes, and the operation of the hardware that does the same.
struct Intrinsic {
  std::string name;  // TVM's: "wmma_load_16x16x16_f16_a_shared"
  ExecutionGroup group = ExecutionGroup::Thread;
  // Both have the same buffer parameters in the same order, and a root block whose reads and writes are whole buffers.
  ir::Function description;
  ir::Function implementation;
  std::string file;  // as given to the library
};

// All intrinsics of some files, by name. A value; copies share the intrinsics. Each that `load` reads is parsed when it
// is first asked for. Of those that `add` and `replace` read, and that differ in numbers alone (a row of a table in
// several forms), the first is parsed at once, so that what is wrong with it is told, and each other when it is first
// asked for.
class Library {
 public:
  // Reads every *.py of the folder, in the order of their names: the tables, not yet the functions in them. Errors:
  // "ParseError" with the place, for tables, "ValueError" for a name defined twice, "NoSuchFile" if the folder or a
  // file can't be read.
  static Result<Library> load(const std::filesystem::path& folder);
  // Adds the intrinsics of one file's text. `file` is its name in messages. Errors: "ParseError", and "ValueError" for
  // a name that is there already.
  Result<void> add(std::string_view text, const std::string& file);
  // The same, but replaces intrinsics of the same names.
  Result<void> replace(std::string_view text, const std::string& file);

  // Returns the intrinsic of a name; null if there is none, or if its functions, parsed now, are wrong. Several threads
  // may call this at once.
  const Intrinsic* find(std::string_view name) const;
  std::vector<std::string> names() const;  // sorted

 private:
  class Entry;
  Result<void> put(std::string_view text, const std::string& file, bool replaces);

  std::map<std::string, std::shared_ptr<const Entry>, std::less<>> byName_;
};

}  // namespace loom::intrin
