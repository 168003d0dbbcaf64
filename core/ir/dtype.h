// Element types, as TVM spells them ("float16", "int32", "bool", "handle", "float32x4").
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace loom::ir {

// A scalar or short-vector type. `bits` is per lane; `lanes` is 1 for scalars.
struct DType {
  // E4M3 and E5M2 are the 8-bit floats float8_e4m3fn and float8_e5m2, for which there is no function but `parse`.
  enum class Code : std::uint8_t { Int, UInt, Float, BFloat, E4M3, E5M2, Bool, Handle, Void };
  Code code = Code::Void;
  std::uint8_t bits = 0;
  std::uint16_t lanes = 1;

  static constexpr DType Int(int bits, int lanes = 1) { return make(Code::Int, bits, lanes); }
  static constexpr DType UInt(int bits, int lanes = 1) { return make(Code::UInt, bits, lanes); }
  static constexpr DType Float(int bits, int lanes = 1) { return make(Code::Float, bits, lanes); }
  static constexpr DType BFloat(int bits, int lanes = 1) { return make(Code::BFloat, bits, lanes); }
  static constexpr DType Bool(int lanes = 1) { return make(Code::Bool, 1, lanes); }
  static constexpr DType Handle() { return make(Code::Handle, 64, 1); }
  static constexpr DType Void() { return make(Code::Void, 0, 1); }
  // Parses a dtype: "int32" → Int(32), "void" → Void(). Returns nothing if the text, such as "", names no dtype of
  // TVM's CUDA target.
  static std::optional<DType> parse(std::string_view text);

  bool isInt() const { return code == Code::Int; }
  bool isUInt() const { return code == Code::UInt; }
  // Returns whether it is a signed or unsigned integer; false for bool.
  bool isIntegral() const { return code == Code::Int || code == Code::UInt; }
  // Returns whether it is a float of any format, bfloat16 and the 8-bit ones included.
  bool isFloat() const { return code >= Code::Float && code <= Code::E5M2; }
  bool isBool() const { return code == Code::Bool; }
  bool isHandle() const { return code == Code::Handle; }
  bool isVoid() const { return code == Code::Void; }
  bool isScalar() const { return lanes == 1; }
  // Returns the size of all lanes together in bytes, rounded up once: 1 for bool, and for boolx4, too; 0 for void.
  int bytes() const { return (bits * lanes + 7) / 8; }
  // Returns the type with another number of lanes.
  DType withLanes(int n) const { return make(code, bits, n); }
  DType element() const { return withLanes(1); }  // returns the type of one lane
  std::string str() const;                        // returns TVM's name, as `parse` reads it
  friend bool operator==(const DType&, const DType&) = default;

 private:
  static constexpr DType make(Code code, int bits, int lanes) {
    return DType{code, static_cast<std::uint8_t>(bits), static_cast<std::uint16_t>(lanes)};
  }
};

}  // namespace loom::ir
