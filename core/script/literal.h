// Writes Python literals as TVM does.
#pragma once
#include <string>
#include <string_view>

namespace loom::script {

// Returns a float as TVM prints it. A whole number has all its digits, one zero after the point and no exponent: "0.0",
// "100000000000000000000.0" for 1e20. Any other number has up to 17 significant digits, as by C's %.17g: "1.3",
// "0.10000000000000001", "1.0000000000000001e-05". The others are "inf", "-inf", "nan" and "-nan" with quotes as part
// of the result, as in T.float32("inf").
std::string floatLiteral(double value);

// Returns a string in double quotes, with the escapes \", \\, \t, \r and \n, and every other byte that is not printable
// ASCII as \xNN.
std::string stringLiteral(std::string_view value);

}  // namespace loom::script
