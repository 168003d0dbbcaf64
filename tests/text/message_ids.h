#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace loom::text {

/// The calls of `message(…)`, `verbatim(…)` and `fail(…)` in a source text. The id of a message is its English
/// template, for which the tables of messages have the Chinese words; the tests can check this only if the id is a
/// string literal.
struct MessageCalls {
  std::set<std::string> ids;        ///< ids that are literals, escapes resolved and adjacent literals joined
  std::vector<int> withoutLiteral;  ///< line numbers, from 1, of calls whose id is no literal
  std::vector<int> untranslated;    ///< line numbers of calls of `verbatim` or `fail` with a sentence as a literal
};
/// Returns the calls in a C++ source text; those in comments and strings don't count.
MessageCalls messageCalls(std::string_view source);

/// Returns the placeholders of a template in fmt's syntax: by the index of the argument, the format with its colon, or
/// "" without one. "{} is {:.1f}" gives 0 → "", 1 → ":.1f"; "{1} {0}" gives 0 → "", 1 → "".
std::map<int, std::string> placeholders(std::string_view pattern);

}  // namespace loom::text
