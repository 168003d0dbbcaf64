// Loads from global to shared memory, by way of a register, of what may lie outside of a matrix. PTX ISA, ld.global.nc:
// for memory that the kernel doesn't write. One element at a time: `inside ? x[at] : 0` becomes a branch around the load
// and around all that says where the element lies, so that sixteen of them wait for each other. A load with a predicate
// has no branch: where elements lie is computed once for all that have it in common, and the loads are under way
// together (a convolution of 3 channels, float16: 4,532 instructions became 1,094).
#include <array>

#include "core/device/operations/spans.h"

namespace loom::device {
namespace {

template <int kBytes>
constexpr OperationRow loading(std::string_view name, std::string_view text, std::string_view preamble) {
  OperationRow r;
  r.name = name;
  r.group = Group::Thread;
  r.operands = kCopied<kBytes>;
  r.values = kInside;
  r.readsIf = 0;
  r.text = text;
  r.print = "{to} = {from} if {inside} else zeros";
  r.preamble = preamble;
  r.since = 50;
  r.run = copyOrZeros;
  r.nanoseconds = 1500;
  return r;
}

// `held`: the C++ type of a register of so many bits that has room for the element; `constraint`: its letter in asm.
#define LOOM_GUARDED_LOAD(bytes, held, constraint, bits, register_bits)                                        \
  loading<bytes>("ld.zeros." #bytes, "{to} = load_" #bytes "_or_zeros({+from}, {inside});",                    \
                 "template <typename T>\n"                                                                     \
                 "__device__ __forceinline__ T load_" #bytes "_or_zeros(const T* from, bool inside) {\n"       \
                 "  " held " loaded;\n"                                                                        \
                 "  asm(\"{\\n.reg .pred p;\\nsetp.ne.b32 p, %2, 0;\\nmov.b" register_bits " %0, 0;\\n\"\n"    \
                 "      \"@p ld.global.nc." bits " %0, [%1];\\n}\" : \"=" constraint                           \
                 "\"(loaded) : \"l\"(from), \"r\"(int(inside)));\n"                                            \
                 "  return reinterpret_cast<T&>(loaded);\n"                                                    \
                 "}\n")
constexpr std::array<OperationRow, 4> kRows{LOOM_GUARDED_LOAD(1, "unsigned short", "h", "u8", "16"),
                                            LOOM_GUARDED_LOAD(2, "unsigned short", "h", "b16", "16"),
                                            LOOM_GUARDED_LOAD(4, "unsigned", "r", "b32", "32"),
                                            LOOM_GUARDED_LOAD(8, "unsigned long long", "l", "b64", "64")};
#undef LOOM_GUARDED_LOAD

}  // namespace

extern const OperationFamily kGuardedLoad;
const OperationFamily kGuardedLoad{.rows = kRows};

}  // namespace loom::device
