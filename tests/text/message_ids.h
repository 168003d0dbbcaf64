#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace loom::text {

/// The calls of `message(id, …)`, which makes a message that is translated, of `verbatim(text)`, which makes one that
/// isn't, and of `fail(code, message, …)`, which makes an error, in a source text. The id is the message's English
/// template, for which the tables of messages have the Chinese words; the tests can check this only if the id is a
/// string literal.
struct MessageCalls {
  std::set<std::string> ids;  ///< ids of `message` that are literals, escapes resolved and adjacent literals joined
  std::vector<int> withoutLiteral;  ///< line numbers, from 1, of calls of `message` whose id is no literal
  /// Line numbers of calls that show English text which nothing translates: of `verbatim` with a literal that has a
  /// letter and a blank, or with a fmt::format whose literal has a letter outside of its placeholders; and of `fail`
  /// whose second argument begins with a literal or fmt::format.
  std::vector<int> untranslated;
};
/// Returns the calls in a C++ source text; those in comments and strings don't count.
MessageCalls messageCalls(std::string_view source);

/// Returns the placeholders of a well-formed template in fmt's syntax, where "{{" is none: by the index of the
/// argument, the format with its colon, or "" without one. "{} is {:.1f}" gives 0 → "", 1 → ":.1f"; "{1} {0}" gives 0 →
/// "", 1 → "".
std::map<int, std::string> placeholders(std::string_view pattern);

}  // namespace loom::text
