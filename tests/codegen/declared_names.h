// Finds the names in a generated CUDA text that it uses and doesn't declare, without a compiler.
#pragma once
#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace loom::codegen {

// Returns the names that generated texts may use without declaring them: keywords, types and functions of C++ and CUDA.
inline const std::set<std::string>& namesOfCuda() {
  static const std::set<std::string> names = [] {
    std::set<std::string> all;
    const std::string text =
        // keywords and types
        "alignas auto bool break char const constexpr continue do double else enum extern false float for half if "
        "inline "
        "int int2 int4 long namespace nullptr reinterpret_cast return short signed sizeof static static_cast struct "
        "switch template true typedef typename T union unsigned using void volatile while uint uint2 uint4 uchar "
        "uchar2 uchar4 "
        "char2 "
        "char4 short2 short4 ushort2 ushort4 float2 float4 double2 half2 longlong2 ulonglong2 __half __half2 "
        "__nv_bfloat16 __nv_bfloat162 nv_bfloat16 __nv_fp8_e4m3 __nv_fp8_e5m2 int8_t uint8_t int16_t uint16_t int32_t "
        "uint32_t int64_t uint64_t size_t "
        // CUDA
        "__global__ __align__ __device__ __shared__ __restrict__ __launch_bounds__ __forceinline__ __host__ blockIdx "
        "threadIdx "
        "blockDim gridDim asm __cvta_generic_to_shared wmma nvcuda mma __syncthreads __dp4a INFINITY NAN "
        // functions
        "abs acosf acoshf asinf asinhf atan2f atanf atanhf ceilf copysignf cosf coshf erff exp2f exp10f expf fabsf "
        "floorf "
        "fmaf fmaxf fminf fmodf hypotf ldexpf log10f log1pf log2f logf max min nearbyintf nextafterf powf rintf roundf "
        "rsqrtf sinf sinhf sqrtf tanf tanhf truncf exp log sqrt rsqrt sin cos tan tanh pow fabs fmax fmin fma floor "
        "ceil "
        "__shfl_sync __shfl_down_sync __hmax __hmin __hfma __habs hexp hlog hsqrt hrsqrt __float2half __half2float "
        "__fdividef __expf";
    std::istringstream words(text);
    for (std::string word; words >> word;) all.insert(word);
    return all;
  }();
  return names;
}

// Returns the words and the signs (single characters, or "::") of a text in order, without comments, strings,
// preprocessor lines, numbers, and names behind "." or "::".
inline std::vector<std::string> tokensOf(const std::string& cuda) {
  std::vector<std::string> tokens;
  auto wordChar = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t i = 0; i < cuda.size();) {
    const char c = cuda[i];
    if (cuda.compare(i, 2, "//") == 0 || c == '#') {
      i = std::min(cuda.find('\n', i), cuda.size());
    } else if (c == '"') {
      i = std::min(cuda.find('"', i + 1), cuda.size() - 1) + 1;
    } else if (wordChar(c)) {
      std::size_t end = i;
      const bool number = std::isdigit(static_cast<unsigned char>(c));
      while (end < cuda.size() && (wordChar(cuda[end]) || (number && cuda[end] == '.'))) ++end;
      const bool member = !tokens.empty() && (tokens.back() == "." || tokens.back() == "::");
      if (!number && !member) tokens.push_back(cuda.substr(i, end - i));
      i = end;
    } else {
      const std::size_t length = cuda.compare(i, 2, "::") == 0 ? 2 : 1;
      if (!std::isspace(static_cast<unsigned char>(c))) tokens.push_back(cuda.substr(i, length));
      i += length;
    }
  }
  return tokens;
}

// Returns the names that the text uses and neither declares anywhere nor has from CUDA, each once, in the order of
// their first use; empty if there are none. Scopes aren't considered.
inline std::vector<std::string> undeclaredNames(const std::string& cuda) {
  static const std::set<std::string> types = {"int",           "long",          "short",
                                              "char",          "unsigned",      "signed",
                                              "bool",          "float",         "double",
                                              "half",          "uint",          "uint2",
                                              "uint4",         "int2",          "int4",
                                              "float2",        "float4",        "double2",
                                              "half2",         "__half",        "void",
                                              "size_t",        "uint8_t",       "__restrict__",
                                              "nv_bfloat16",   "__nv_bfloat16", "__nv_fp8_e4m3",
                                              "__nv_fp8_e5m2", "int8_t",        "int16_t",
                                              "uint16_t",      "int64_t",       "T"};  // T: of a template
  const std::vector<std::string> tokens = tokensOf(cuda);
  auto isWord = [](const std::string& t) { return std::isalpha(static_cast<unsigned char>(t[0])) || t[0] == '_'; };
  std::set<std::string> declared;
  bool ofInts = false;  // inside `const int a = …, b = …;`
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const std::string &token = tokens[i], &next = tokens[i + 1];
    if (token == ";") ofInts = false;
    if (types.count(token)) ofInts = ofInts || (i > 0 && tokens[i - 1] == "const" && token == "int");
    // `wmma :: < … > NAME [`, `__launch_bounds__ ( … ) NAME (`, `TYPE NAME`, `, NAME =`
    const bool afterType = types.count(token) || (ofInts && token == ",");
    const bool afterPointer = token == "*" && i > 0 && types.count(tokens[i - 1]);
    // Numbers are no tokens: `( )` or `( , )` is left of the bounds.
    const bool afterBounds = token == ")" && ((i >= 2 && tokens[i - 2] == "__launch_bounds__") ||
                                              (i >= 3 && tokens[i - 3] == "__launch_bounds__"));
    const bool afterFragment =
        token == ">" && i + 2 < tokens.size() && tokens[i + 2] == "[" &&
        std::find(tokens.begin() + std::ptrdiff_t(i > 24 ? i - 24 : 0), tokens.begin() + std::ptrdiff_t(i), "wmma") !=
            tokens.begin() + std::ptrdiff_t(i);
    // `struct NAME {`, `SharedArray < … > NAME {`
    const bool ofStruct = token == "struct" || token == "operator";
    const auto at = tokens.begin() + std::ptrdiff_t(i);
    const bool afterArray = token == ">" && i > 4 && std::find(at - 5, at, "SharedArray") != at;
    if (ofStruct) declared.insert(token);
    if ((afterType || afterPointer || afterBounds || afterFragment || ofStruct || afterArray) && isWord(next))
      declared.insert(next);
  }
  std::vector<std::string> unknown;
  for (const std::string& t : tokens) {
    if (!isWord(t) || declared.count(t) || namesOfCuda().count(t)) continue;
    if (std::find(unknown.begin(), unknown.end(), t) == unknown.end()) unknown.push_back(t);
  }
  return unknown;
}

}  // namespace loom::codegen
