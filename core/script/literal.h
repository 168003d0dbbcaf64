// Literals of Python as TVM writes them.
#pragma once
#include <string>
#include <string_view>

namespace loom::script {

// 0.0, 1.3 with 17 digits, 1e20 in full, "inf" and "nan" in quotes (T.float32("inf")).
std::string floatLiteral(double value);

// In double quotes; what is not printable ASCII as \xNN byte by byte.
std::string stringLiteral(std::string_view value);

}  // namespace loom::script
