// Writes Python literals as TVM does.
#pragma once
#include <string>
#include <string_view>

namespace loom::script {

// Returns a float as TVM prints it: 0.0, 1.3 with 17 digits, 1e20 with all its digits; "inf", "-inf", "nan" and "-nan"
// have quotes, as in T.float32("inf").
std::string floatLiteral(double value);

// Returns a string in double quotes, with the escapes \", \\, \t, \r and \n, and every other byte that is not printable
// ASCII as \xNN.
std::string stringLiteral(std::string_view value);

}  // namespace loom::script
