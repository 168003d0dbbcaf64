#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace loom::text {

/// The calls of `message(…)`, `verbatim(…)` and `fail(…)` in a source text. An id can be found, and so have words, only
/// where it is a literal.
struct MessageCalls {
  std::set<std::string> ids;        ///< with escapes resolved and literals that stand one after another joined
  std::vector<int> withoutLiteral;  ///< lines of calls whose id is something else
  std::vector<int> untranslated;    ///< lines where `verbatim` or `fail` takes words of our own
};
MessageCalls messageCalls(std::string_view source);

/// The placeholders of a template in fmt's syntax, by the number of their argument, with how they write it: of
/// "{} is {:.1f}" 0 → "", 1 → ":.1f". Of "{1} {0}" the numbers that it names.
std::map<int, std::string> placeholders(std::string_view pattern);

}  // namespace loom::text
