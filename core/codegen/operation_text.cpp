#include "core/codegen/operation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/codegen/expression.h"

namespace loom::codegen {
namespace {

// In float32 the exponential is CUDA's fast one, as TVM writes it: the multiplication by log2(e) rounds once, an error of
// up to 2 + 1.2 · |x| units in the last place (CUDA C++ Programming Guide, "Mathematical Functions"), 1e-5 at most where
// the result is finite.
constexpr OperationText kTexts[] = {
    {"acos", "acosf({0})", "acos({0})", "", ""},
    {"acosh", "acoshf({0})", "acosh({0})", "", ""},
    {"asin", "asinf({0})", "asin({0})", "", ""},
    {"asinh", "asinhf({0})", "asinh({0})", "", ""},
    {"atan", "atanf({0})", "atan({0})", "", ""},
    {"atan2", "atan2f({0}, {1})", "atan2({0}, {1})", "", ""},
    {"atanh", "atanhf({0})", "atanh({0})", "", ""},
    {"ceil", "ceilf({0})", "ceil({0})", "", ""},
    {"clz", "", "", "__clz({0})", "__clzll({0})"},
    {"copysign", "copysignf({0}, {1})", "copysign({0}, {1})", "", ""},
    {"cos", "cosf({0})", "cos({0})", "", ""},
    {"cosh", "coshf({0})", "cosh({0})", "", ""},
    {"erf", "erff({0})", "erf({0})", "", ""},
    {"exp", "__expf({0})", "exp({0})", "", ""},
    {"exp10", "exp10f({0})", "exp10({0})", "", ""},
    {"exp2", "exp2f({0})", "exp2({0})", "", ""},
    {"fabs", "fabsf({0})", "fabs({0})", "", ""},
    {"floor", "floorf({0})", "floor({0})", "", ""},
    {"fma", "fmaf({0}, {1}, {2})", "fma({0}, {1}, {2})", "", "", "", "__hfma({0}, {1}, {2})"},
    {"fmod", "fmodf({0}, {1})", "fmod({0}, {1})", "", ""},
    {"hypot", "hypotf({0}, {1})", "hypot({0}, {1})", "", ""},
    {"isfinite", "isfinite({0})", "isfinite({0})", "", ""},
    {"isinf", "isinf({0})", "isinf({0})", "", ""},
    {"isnan", "isnan({0})", "isnan({0})", "", ""},
    {"ldexp", "ldexpf({0}, {1})", "ldexp({0}, {1})", "", ""},
    {"log", "logf({0})", "log({0})", "", ""},
    {"log10", "log10f({0})", "log10({0})", "", ""},
    {"log1p", "log1pf({0})", "log1p({0})", "", ""},
    {"log2", "log2f({0})", "log2({0})", "", ""},
    {"nearbyint", "nearbyintf({0})", "nearbyint({0})", "", ""},
    {"nextafter", "nextafterf({0}, {1})", "nextafter({0}, {1})", "", ""},
    {"popcount", "", "", "__popc({0})", "__popcll({0})"},
    {"pow", "powf({0}, {1})", "pow({0}, {1})", "", ""},
    {"round", "roundf({0})", "round({0})", "", "", "rintf({0})"},  // hrint in TVM's: ties to even
    {"rsqrt", "rsqrtf({0})", "rsqrt({0})", "", ""},
    {"sigmoid", "(1.0f / (1.0f + __expf(-({0}))))", "(1.0 / (1.0 + exp(-({0}))))", "", ""},
    {"sin", "sinf({0})", "sin({0})", "", ""},
    {"sinh", "sinhf({0})", "sinh({0})", "", ""},
    {"sqrt", "sqrtf({0})", "sqrt({0})", "", ""},
    {"tan", "tanf({0})", "tan({0})", "", ""},
    {"tanh", "tanhf({0})", "tanh({0})", "", ""},
    {"trunc", "truncf({0})", "trunc({0})", "", ""},
};

constexpr std::string_view kPrinters[] = {
    "bitwise_and",           "bitwise_not",    "bitwise_or",  "bitwise_xor",         "if_then_else",
    "ignore_loop_partition", "large_uint_imm", "likely",      "q_multiply_shift",    "q_multiply_shift_per_axis",
    "reinterpret",           "shift_left",     "shift_right", "tvm_thread_invariant"};

}  // namespace

std::span<const OperationText> operationTexts() { return kTexts; }

const OperationText* findOperationText(std::string_view name) {
  auto* found = std::ranges::lower_bound(kTexts, name, {}, &OperationText::name);
  return found != std::end(kTexts) && found->name == name ? found : nullptr;
}

bool isWrittenByPrinter(std::string_view name) { return std::ranges::count(kPrinters, name) > 0; }

std::string reinterpretText(ir::DType from, ir::DType to) {
  from = from.element();
  to = to.element();
  if (from == to) return "{0}";
  if (from.isIntegral() && to.isIntegral()) return "";
  if (from.bits == 8 || to.bits == 8) return fmt::format("__builtin_bit_cast({}, {{0}})", typeName(to));
  // CUDA's name of the type in its functions of bits.
  auto name = [](ir::DType t) -> std::string {
    if (t.isIntegral()) {
      const char* names[] = {"short", "int", "longlong"};
      const int size = t.bits == 16 ? 0 : t.bits == 32 ? 1 : 2;
      return (t.isUInt() && size < 2 ? "u" : "") + std::string(names[size]);
    }
    return t.code == ir::DType::Code::BFloat ? "bfloat16" : t.bits == 16 ? "half" : t.bits == 32 ? "float" : "double";
  };
  if (from.isFloat() && to.isFloat()) {  // float16 and bfloat16
    return fmt::format("__short_as_{}(__{}_as_short({{0}}))", name(to), name(from));
  }
  // Of 64 bits there are functions of signed integers alone.
  const ir::DType unsigned64 = ir::DType::UInt(64);
  if (to == unsigned64) return "(unsigned long long)__double_as_longlong({0})";
  if (from == unsigned64) return "__longlong_as_double((long long)({0}))";
  return fmt::format("__{}_as_{}({{0}})", name(from), name(to));
}

std::set<std::string> functionsIn(std::string_view text) {
  auto isPart = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  std::set<std::string> names;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && isPart(text[end])) ++end;
    if (end > at && end < text.size() && text[end] == '(') names.emplace(text.substr(at, end - at));
    at = std::max(end, at + 1);
  }
  return names;
}

}  // namespace loom::codegen
