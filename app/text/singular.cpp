#include "app/text/singular.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace loom::text {
namespace {

using std::string_view;
using Pair = std::pair<string_view, string_view>;  // plural, singular

constexpr string_view kNouns[] = {"SMs",      "accesses",    "barriers",     "blocks",     "boxes",
                                  "branches", "bytes",       "candidates",   "clocks",     "clusters",
                                  "columns",  "constraints", "copies",       "decisions",  "dimensions",
                                  "elements", "groups",      "instructions", "iterations", "kernels",
                                  "lanes",    "lines",       "loops",        "matrices",   "multiprocessors",
                                  "parts",    "places",      "products",     "programs",   "registers",
                                  "results",  "rows",        "samples",      "schedules",  "sectors",
                                  "slots",    "stages",      "states",       "steps",      "sums",
                                  "terms",    "threads",     "tiles",        "times",      "trips",
                                  "values",   "warpgroups",  "warps",        "wavefronts", "waves",
                                  "workers"};
constexpr Pair kVerbs[] = {{"are", "is"},   {"have", "has"},     {"leave", "leaves"}, {"let", "lets"},
                           {"run", "runs"}, {"stay", "stays"},   {"take", "takes"},   {"reach", "reaches"},
                           {"lie", "lies"}, {"allow", "allows"}, {"wait", "waits"},   {"multiply", "multiplies"}};
constexpr string_view kTheirs = " on their way", kIts = " on its way";

std::string singularOf(string_view noun) {
  constexpr Pair kOdd[] = {
      {"matrices", "matrix"}, {"copies", "copy"}, {"boxes", "box"}, {"branches", "branch"}, {"accesses", "access"}};
  for (const auto& [plural, singular] : kOdd)
    if (noun == plural) return std::string(singular);
  return std::string(noun.substr(0, noun.size() - 1));
}

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Whether `what` stands at `at`, and no letter behind it.
bool standsAt(string_view text, std::size_t at, string_view what) {
  return text.substr(at, what.size()) == what && (at + what.size() >= text.size() || !isLetter(text[at + what.size()]));
}

// Whether the number at `at` stands alone: no end of a longer one, of a range or of a product.
bool beginsNumber(string_view text, std::size_t at) {
  if (at == 0 || text[at - 1] == '(' || text[at - 1] == '\n') return true;
  return text[at - 1] == ' ' && !text.substr(0, at).ends_with("× ");
}

// The verb of the clause whose subject ends at `from`.
void makeVerbSingular(std::string& text, std::size_t from) {
  const std::size_t end = std::min(text.find_first_of(",.;:()0123456789\n", from), text.size());
  for (std::size_t at = text.find(' ', from); at < end; at = text.find(' ', at + 1)) {
    for (const auto& [plural, singular] : kVerbs) {
      // Others than "are" and "have" are known for verbs only where they follow.
      const bool sure = plural == "are" || plural == "have" || at == from;
      if (!sure || !standsAt(text, at + 1, plural)) continue;
      text.replace(at + 1, plural.size(), singular);
      const std::size_t behind = at + 1 + singular.size();
      if (standsAt(text, behind, kTheirs)) text.replace(behind, kTheirs.size(), kIts);
      return;
    }
    // Another subject begins.
    if (standsAt(text, at + 1, "and") || standsAt(text, at + 1, "that") || standsAt(text, at + 1, "where")) return;
  }
}

}  // namespace

std::string inSingular(std::string text) {
  for (std::size_t at = text.find("1 "); at != std::string::npos; at = text.find("1 ", at + 1)) {
    if (!beginsNumber(text, at)) continue;
    for (const string_view noun : kNouns) {
      if (!standsAt(text, at + 2, noun)) continue;
      const std::string singular = singularOf(noun);
      text.replace(at + 2, noun.size(), singular);
      makeVerbSingular(text, at + 2 + singular.size());
      break;
    }
  }
  return text;
}

}  // namespace loom::text
