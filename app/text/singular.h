#pragma once

#include <string>

namespace loom::text {

/// Returns an English text in which each noun directly behind the number 1, and the verb that belongs to it, are
/// singular: "1 tiles along k are on their way" becomes "1 tile along k is on its way". Only the nouns and verbs that
/// are listed in singular.cpp are known; everything else stays as it is, such as "64 × 1 tiles", "1.5 waves", "-1
/// tiles" and "1 of 8 blocks". Texts with no such number, and Chinese ones, are returned unchanged.
std::string inSingular(std::string text);

}  // namespace loom::text
