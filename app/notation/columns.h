#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/ir/result.h"

/// Texts as they stand in a face whose characters are all of one width, as of code and of a terminal. Texts are UTF-8.
namespace loom::notation {

/// Returns how many columns a text takes: one for a character, two for a Chinese, Japanese or Korean one.
int columnsOf(std::string_view text);
/// Returns how many bytes the longest beginning of a text has that takes at most `columns` columns, in whole
/// characters.
std::size_t bytesWithin(std::string_view text, int columns);
/// Returns where the first character at the byte `at` or behind it begins; the size of the text if there is none.
std::size_t characterFrom(std::string_view text, std::size_t at);
/// Returns a place as compilers write it and editors jump to it, "file:12:5", with lines and columns counted from 1
/// and columns in characters, without those parts that aren't known. A column of a line whose text isn't known stays in
/// bytes, as Place has it.
std::string placeText(const Place& place);

}  // namespace loom::notation
