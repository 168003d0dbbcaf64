#pragma once

#include <string>

namespace loom::text {

/// Returns an English text in which a noun that a whole number 1 counts is singular, and the verb behind it, too:
/// "1 tiles along k are on their way" becomes "1 tile along k is on its way". Only nouns that the program counts are
/// known, and only directly behind the number; everything else stays as it is, such as "64 × 1 tiles", "1.5 waves" and
/// "1 of 8 blocks". Texts with no such number, and Chinese ones, are returned unchanged.
std::string inSingular(std::string text);

}  // namespace loom::text
