// The arguments of Python's own functions and methods.

#include <algorithm>

#include "core/notebook/interpreter.h"

namespace loom::notebook {
namespace {

struct Signature {
  std::string_view type, name;
  std::size_t most;           // arguments by position
  std::string_view keywords;  // those that may be given by name, with a space after each; "*" for any
};

constexpr std::size_t kAny = std::size_t(-1);
constexpr Signature kSignatures[] = {
    {"", "len", 1, ""},
    {"", "range", 3, ""},
    {"", "list", 1, ""},
    {"", "tuple", 1, ""},
    {"", "set", 1, ""},
    {"", "reversed", 1, ""},
    {"", "sorted", 1, "key reverse "},
    {"", "dict", 1, "*"},
    {"", "zip", kAny, ""},
    {"", "enumerate", 2, "start "},
    {"", "map", kAny, ""},
    {"", "filter", 2, ""},
    {"", "min", kAny, "key default "},
    {"", "max", kAny, "key default "},
    {"", "sum", 2, "start "},
    {"", "any", 1, ""},
    {"", "all", 1, ""},
    {"", "abs", 1, ""},
    {"", "int", 2, "base "},
    {"", "float", 1, ""},
    {"", "bool", 1, ""},
    {"", "str", 1, ""},
    {"", "repr", 1, ""},
    {"", "pow", 2, ""},
    {"", "divmod", 2, ""},
    {"", "round", 2, ""},
    {"", "getattr", 2, ""},
    {"str", "upper", 0, ""},
    {"str", "lower", 0, ""},
    {"str", "isdigit", 0, ""},
    {"str", "isnumeric", 0, ""},
    {"str", "isalpha", 0, ""},
    {"str", "strip", 1, ""},
    {"str", "lstrip", 1, ""},
    {"str", "rstrip", 1, ""},
    {"str", "startswith", 1, ""},
    {"str", "endswith", 1, ""},
    {"str", "removeprefix", 1, ""},
    {"str", "removesuffix", 1, ""},
    {"str", "find", 1, ""},
    {"str", "index", 1, ""},
    {"str", "count", 1, ""},
    {"str", "replace", 3, ""},
    {"str", "split", 2, "maxsplit "},
    {"str", "rsplit", 2, "maxsplit "},
    {"str", "join", 1, ""},
    {"list", "count", 1, ""},
    {"list", "index", 1, ""},
    {"list", "copy", 0, ""},
    {"list", "add", 1, ""},
    {"list", "append", 1, ""},
    {"list", "extend", 1, ""},
    {"list", "insert", 2, ""},
    {"list", "pop", 1, ""},
    {"list", "remove", 1, ""},
    {"list", "reverse", 0, ""},
    {"list", "clear", 0, ""},
    {"list", "sort", 0, "key reverse "},
    {"dict", "keys", 0, ""},
    {"dict", "values", 0, ""},
    {"dict", "items", 0, ""},
    {"dict", "get", 2, ""},
    {"dict", "pop", 2, ""},
    {"dict", "setdefault", 2, ""},
    {"dict", "update", 1, "*"},
    {"dict", "copy", 0, ""},
    {"math", "ceil", 1, ""},
    {"math", "floor", 1, ""},
    {"math", "trunc", 1, ""},
    {"math", "sqrt", 1, ""},
    {"math", "isqrt", 1, ""},
    {"math", "log2", 1, ""},
    {"math", "pow", 2, ""},
    {"math", "prod", 1, ""},
};

}  // namespace

void Interpreter::refuseOthers(const std::string& type, const std::string& name, const CallArguments& given,
                               const Node& at) {
  const auto* row =
      std::ranges::find_if(kSignatures, [&](const Signature& s) { return s.type == type && s.name == name; });
  if (row == std::end(kSignatures)) return;
  if (given.positional.size() > row->most) {
    raise(at, "TypeError",
          message("{}() is given {} arguments and takes {}", name, given.positional.size(), row->most));
  }
  for (const auto& [keyword, value] : given.keywords) {
    if (row->keywords != "*" && row->keywords.find(keyword + " ") == std::string_view::npos) {
      raise(at, "TypeError", message("{}() has no argument '{}'", name, keyword));
    }
  }
}

}  // namespace loom::notebook
