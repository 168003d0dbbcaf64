// Makes C++ identifiers for a kernel, so that no two things in one scope share a name.
#pragma once
#include <set>
#include <string>
#include <string_view>

namespace loom::codegen {

// Returns a C++ identifier for a name. Characters that can't stand in an identifier become '_'. A '_' is appended to
// keywords, to names that the generated code uses itself, and to those that may be macros of headers that the kernel
// includes. Names that C++ reserves for the compiler (such as __x) are changed into others, and a name that is empty or
// begins with a digit gets a 'v' before it.
std::string identifier(std::string_view name);

// The identifiers in use in a kernel.
class Names {
 public:
  // Makes `name` unavailable, as it stands.
  void reserve(const std::string& name) { used_.insert(name); }
  // Returns identifier(name), with _1, _2, … behind it if it is taken, and reserves the result for the rest of the
  // kernel.
  std::string unique(std::string_view name);
  // Does the same as `unique`, for a name that the caller gives back by `leave`, such as a loop's variable.
  std::string enter(std::string_view name) { return unique(name); }
  // Makes a name that `enter` returned available again.
  void leave(const std::string& name) { used_.erase(name); }

 private:
  std::set<std::string> used_;
};

// Returns a text of the user's, such as a name, for use in a `//` comment: control characters become blanks, so that it
// stays on one line, and backslashes become '/', because one at the end would continue the comment on the next line.
std::string inComment(std::string text);

}  // namespace loom::codegen
