// The values of a function's symbols (ir/symbols.h): a list for each, as the document or the command line names them.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/result.h"
#include "core/ir/symbols.h"

namespace loom::document {

class Sizes {
 public:
  // Values by the symbol's name, in the order given, at least one each.
  std::map<std::string, std::vector<double>> named;

  // "n=1000,1024" adds or replaces the values of n. Errors "ValueError": no such form, a value that is no number.
  Result<void> name(std::string_view words);
  // Several, parted by semicolons: "n = 1000, 1024; alpha = 0.5". Empty: none. Errors as of `name`.
  static Result<Sizes> read(std::string_view text);
  std::string text() const;  // that `read` gives back
  // Names that aren't the function's, values that its symbols can't have, more combinations than kMost.
  Result<void> check(const ir::FunctionNode& function) const;
  friend bool operator==(const Sizes&, const Sizes&) = default;

  static constexpr std::size_t kMost = 64;  // combinations
};

// One value for each symbol.
struct SizeChoice {
  ir::Numbers numbers;
  std::string text;                    // "n = 1024, alpha = 2"; empty for a function without symbols
  std::vector<std::string> byDefault;  // names of those symbols that nobody gave a value
  bool onlyChecked = false;            // by default, to check another size than the one that is shown
};

// Every combination of what is named; the first one is what is shown, modelled and measured unless another is asked
// for. What isn't named is 1024 where it is an extent, with a further choice at 1000 (so that edges of tiles are run,
// too), as if stored row by row where it is a stride or the offset, 2 where it is another number, and true where it is
// a bool. Just one choice without numbers where the function has no symbols; never none.
std::vector<SizeChoice> choicesOf(const Sizes& sizes, const ir::FunctionNode& function);

// "alpha = 2, n = 1024 by default" of a choice; "" where all is named.
std::string defaultsIn(const SizeChoice& choice);

// As documents have it: {"n": [1000, 1024]}. Reading: nothing but lists of numbers, error "ParseError".
nlohmann::ordered_json toJson(const Sizes& sizes);
Result<Sizes> sizesFromJson(const nlohmann::ordered_json& j);

// "1024", "0.5": as one writes it.
std::string numberText(double value);

}  // namespace loom::document
