// Tensor intrinsics: pairs of functions in TVMScript, one that describes a computation on a tile and one that performs
// it with an operation of the hardware. All intrinsics are read from files. File format: assets/intrinsics/README.md.
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
  std::string name;                               // as TVM calls it: "wmma_load_16x16x16_f16_a_shared"
  ExecutionGroup group = ExecutionGroup::Thread;  // the threads that execute the implementation together
  // Both functions have the same number of parameters, which correspond by position. Each is a buffer that the
  // function's root block reads or writes.
  ir::Function description;
  ir::Function implementation;
  std::string file;  // the name of the file, as it was given to the library
};

// The intrinsics of some files, by name. A library is a value; copies share the intrinsics. `load` parses no functions:
// each intrinsic is parsed when `find` first returns it. `add` and `replace` parse an intrinsic at once, so that they
// can report its errors; of intrinsics that differ only in numbers (a row of a file's table for each of its FORMS) they
// parse the first at once and the others when `find` first returns them.
class Library {
 public:
  // Reads every *.py of the folder, in the order of their names: the tables of the intrinsics' names and parameters,
  // not yet the functions; with `checksAll` these, too, as `add` does. Errors: "ParseError" with the place, for tables,
  // "ValueError" for a name defined twice, "NoSuchFile" if the folder or a file can't be read; with `checksAll` those
  // of `add`.
  static Result<Library> load(const std::filesystem::path& folder, bool checksAll = false);
  // Adds the intrinsics of one file's text. `file` is its name in messages. Errors: "ParseError", and "ValueError" for
  // a name that is there already and for two functions that can't be an intrinsic (numbers of parameters that differ, a
  // parameter that is no buffer or that the root block doesn't access, an operation of another group of threads than
  // the file's EXECUTION). After an error the library is unchanged.
  Result<void> add(std::string_view text, const std::string& file);
  // Adds the intrinsics of one file's text as `add` does, but replaces those that have the same names. Errors:
  // "ParseError", and "ValueError" for a name that the text defines twice and for two functions that can't be an
  // intrinsic. After an error the library is unchanged.
  Result<void> replace(std::string_view text, const std::string& file);

  // Returns the intrinsic of a name, valid as long as some library (this one or a copy) has it, so `replace` may end
  // it; null if there is none, or if its functions, parsed now, are wrong (`load` with `checksAll` says why). Several
  // threads may call this at once, but not beside `add` or `replace`.
  const Intrinsic* find(std::string_view name) const;
  std::vector<std::string> names() const;  // sorted

 private:
  class Entry;
  struct Origin;
  using Names = std::map<std::string_view, std::shared_ptr<const Entry>>;  // by names that the entries have
  Result<void> put(std::string_view text, const std::string& file, bool replaces);

  Names byName_;
};

}  // namespace loom::intrin
