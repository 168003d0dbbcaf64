// The values that a document or the command line gives to a function's symbols, which are the sizes and scalars that
// the function takes as arguments.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/result.h"
#include "core/ir/symbols.h"

namespace loom::document {

// For each symbol that was named, a list of values.
class Sizes {
 public:
  // The name of a symbol → its values in the order in which they were given; at least one.
  std::map<std::string, std::vector<double>> named;

  // Sets the values of one symbol from a text such as "n=1000,1024", in place of earlier ones. A bool is given as 0 or
  // 1. Error "ValueError" if the text has another form or a value is no number.
  Result<void> name(std::string_view words);
  // Reads the values of several symbols, separated by semicolons: "n = 1000, 1024; alpha = 0.5". An empty text names
  // none. Errors as those of `name`.
  static Result<Sizes> read(std::string_view text);
  // Returns the values as a text that `read` accepts.
  std::string text() const;
  // Checks that each name is that of a symbol of the function, that the symbol can have all values given for it, and
  // that there are at most kMost combinations. Error "ValueError".
  Result<void> check(const ir::FunctionNode& function) const;
  friend bool operator==(const Sizes&, const Sizes&) = default;

  static constexpr std::size_t kMost = 64;  // the most combinations of values
};

// A choice of one value for each symbol.
struct SizeChoice {
  ir::Numbers numbers;                 // the value of each symbol; empty for a function without symbols
  std::string text;                    // "n = 1024, alpha = 2"; empty for a function without symbols
  std::vector<std::string> byDefault;  // names of the symbols whose value is a default
  bool onlyChecked = false;            // whether it is a default size that is only checked, not shown
};

// Returns every combination of the named values, of which `Sizes::check` must have approved; the function's last symbol
// varies fastest. The first combination is shown, modelled and measured unless the user chooses another. Defaults of
// symbols that aren't named: 1024 for an extent (64 if it has fewer than 16 bits); for a stride or an offset, what it
// is if the buffer is stored row by row; 1, that is true, for a bool; 2 for any other scalar. If an extent has a
// default, the same combinations follow once more, so that there are twice as many, with `onlyChecked` set and 1000 in
// place of each default of 1024, so that the edges of tiles are checked as well. A function without symbols has one
// choice without numbers; the result is never empty.
std::vector<SizeChoice> choicesOf(const Sizes& sizes, const ir::FunctionNode& function);

// Returns the default values in a choice as text, "alpha = 2, n = 1024 by default"; empty if all are named.
std::string defaultsIn(const SizeChoice& choice);

// Convert to and from the JSON of documents, {"n": [1000, 1024]}. Error "ParseError" for anything but lists of
// at least one number.
nlohmann::ordered_json toJson(const Sizes& sizes);
Result<Sizes> sizesFromJson(const nlohmann::ordered_json& j);

// Returns a number as a person writes it: "1024", "0.5".
std::string numberText(double value);

}  // namespace loom::document
