// C++ identifiers: one name means one thing in every scope.
#pragma once
#include <set>
#include <string>
#include <string_view>

namespace loom::codegen {

// Characters that C++ doesn't take become '_'. What means something else already gets a '_' at its end: keywords, what
// generated texts use themselves, and all that may be a macro of the headers around a kernel. Names that C++ leaves to
// the compiler are changed so that they are not.
std::string identifier(std::string_view name);

// Names in use. A loop's name is free again after the loop.
class Names {
 public:
  void reserve(const std::string& name) { used_.insert(name); }
  // Returns `name`, or name_1, name_2, … if it is taken, and reserves it for the rest of the kernel.
  std::string unique(std::string_view name);
  std::string enter(std::string_view name) { return unique(name); }
  void leave(const std::string& name) { used_.erase(name); }

 private:
  std::set<std::string> used_;
};

// A name of the user's as part of a `//` comment: on one line, and without the backslash that would draw the next line
// of code into it.
std::string inComment(std::string text);

}  // namespace loom::codegen
