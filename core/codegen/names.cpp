#include "core/codegen/names.h"

#include <algorithm>
#include <cctype>
#include <functional>

namespace loom::codegen {

namespace {

constexpr const char* kKeywords =
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t "
    "char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr "
    "constinit continue decltype default delete do double dynamic_cast else enum explicit export extern "
    "false float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr "
    "operator or or_eq private protected public register reinterpret_cast requires return short signed "
    "sizeof static static_assert static_cast struct switch template this thread_local throw true try "
    "typedef typeid typename typeof union unsigned using virtual void volatile wchar_t while xor xor_eq ";

// Types, variables and functions that our own texts use, kernels and the host program around them.
constexpr const char* kOurs =
    "half half2 float2 float3 float4 int2 int4 uint uint2 uint4 dim3 threadIdx blockIdx blockDim gridDim "
    "warpSize wmma nvcuda shared_memory min max fmin fmax fminf fmaxf abs exp log pow sqrt tanh erf floor "
    "ceil round fabs fmod fmodf std main TensorMap ";

// Macros are replaced wherever they stand. They are written in capitals (NULL, INT_MAX, CUDART_VERSION); these are
// those of the standard library and of CUDA's headers, as nvcc and NVRTC include them, that are not.
constexpr const char* kSmallMacros =
    "errno stdin stdout stderr math_errhandling linux unix P_tmpdir L_tmpnam L_ctermid L_cuserid "
    "NV_HAS_FEATURE_SM_90a NV_HAS_FEATURE_SM_100a NV_HAS_FEATURE_SM_101a ";

std::set<std::string, std::less<>> wordsOf(std::string_view text) {
  std::set<std::string, std::less<>> words;
  for (std::size_t at = 0, end; (end = text.find(' ', at)) != std::string_view::npos; at = end + 1) {
    words.emplace(text.substr(at, end - at));
  }
  return words;
}

bool isUpper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool isLower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }

// Could the name be a macro of a header? All that are written as macros are: of capitals, from three characters on, so
// that A, B and X2 stay; math.h's constants of a type (M_PIf32); what cudart's headers define (cudaHostAllocDefault).
bool isLikeAMacro(std::string_view name) {
  if (name.ends_with('_')) return false;  // none is written so
  constexpr std::size_t kShortest = 3;
  if (name.size() >= kShortest && isUpper(name[0]) && std::none_of(name.begin(), name.end(), isLower)) return true;
  if (name.size() > 2 && name.starts_with("M_") && !isLower(name[2])) return true;
  return name.size() > 4 && name.starts_with("cuda") && isUpper(name[4]);
}

}  // namespace

std::string identifier(std::string_view name) {
  static const auto kTaken = wordsOf(std::string(kKeywords) + kOurs + kSmallMacros);
  std::string out;
  for (char c : name) {
    c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    // Names with two underscores are the compiler's, wherever they stand.
    if (c != '_' || !out.ends_with('_')) out += c;
  }
  // So are those of an underscore and a capital.
  const bool compilers = out.size() > 1 && out[0] == '_' && isUpper(out[1]);
  if (out.empty() || compilers || std::isdigit(static_cast<unsigned char>(out[0]))) out = "v" + out;
  if (kTaken.count(out) > 0 || isLikeAMacro(out)) out += '_';
  return out;
}

std::string Names::unique(std::string_view name) {
  std::string base = identifier(name), candidate = base;
  if (!base.ends_with('_')) base += '_';
  for (int n = 1; !used_.insert(candidate).second; ++n) candidate = base + std::to_string(n);
  return candidate;
}

std::string inComment(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    if (c == '\\') c = '/';
  }
  return text;
}

}  // namespace loom::codegen
