// CUDA definitions of the device functions that wrap the PTX instructions mma.sync and ldmatrix. A CUDA text that calls
// such a function has its definition once, before the kernels. A function takes the elements that a lane holds as
// arrays of that lane, aligned to 4 bytes, which the compiler keeps in registers.
//
// ldmatrix_x4 loads four matrices, of 8 rows of 16 bytes each, to four 32-bit registers of each lane; ldmatrix_x4_trans
// transposes them as 8×8 matrices of 16-bit elements. `tile` points to shared memory. Lane l gives the place of row l
// mod 8 of matrix l / 8: `row` is the number of elements (T) from `tile` to the first one of that row, whose address
// must be a multiple of 16 bytes.
//
// The products compute d = a · b + c; `d` and `c` may be the same array. Names give the type of the sum, the type of
// the factors and the product's k: kF32F16K16 is mma.m16n8k16 with float32 sums of float16 factors; M8 stands for
// mma.m8n8. Factors of type tf32 are float32 numbers, of which tensor cores ignore the last 13 bits. The rows of
// mma.cpp have the compute capability that each product needs. Each text begins with an empty line, which sets it
// apart.
#pragma once
#include <string_view>

namespace loom::device::mma_texts {

inline constexpr std::string_view kLdmatrix =
    R"(
template <typename T>
__device__ __forceinline__ void ldmatrix_x4(void* registers, const T* tile, int row) {
  unsigned* r = static_cast<unsigned*>(registers);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(tile)) + row * unsigned(sizeof(T))));
}
)";

inline constexpr std::string_view kLdmatrixTransposed =
    R"(
template <typename T>
__device__ __forceinline__ void ldmatrix_x4_trans(void* registers, const T* tile, int row) {
  unsigned* r = static_cast<unsigned*>(registers);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(tile)) + row * unsigned(sizeof(T))));
}
)";

inline constexpr std::string_view kF32F16K16 =
    R"(
__device__ __forceinline__ void mma_m16n8k16_f32_f16(float* d, const void* a, const void* b,
                                                     const float* c) {
  const unsigned* x = static_cast<const unsigned*>(a);
  const unsigned* y = static_cast<const unsigned*>(b);
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
               " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
               : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
               : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]),
                 "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
}
)";

inline constexpr std::string_view kF16F16K16 =
    R"(
__device__ __forceinline__ void mma_m16n8k16_f16_f16(void* d, const void* a, const void* b,
                                                     const void* c) {
  const unsigned* x = static_cast<const unsigned*>(a);
  const unsigned* y = static_cast<const unsigned*>(b);
  const unsigned* s = static_cast<const unsigned*>(c);
  unsigned* z = static_cast<unsigned*>(d);
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16"
               " {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};"
               : "=r"(z[0]), "=r"(z[1])
               : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]),
                 "r"(s[0]), "r"(s[1]));
}
)";

inline constexpr std::string_view kF32Bf16K16 =
    R"(
__device__ __forceinline__ void mma_m16n8k16_f32_bf16(float* d, const void* a, const void* b,
                                                      const float* c) {
  const unsigned* x = static_cast<const unsigned*>(a);
  const unsigned* y = static_cast<const unsigned*>(b);
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"
               " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
               : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
               : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]),
                 "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
}
)";

inline constexpr std::string_view kF32F16K8 =
    R"(
__device__ __forceinline__ void mma_m16n8k8_f32_f16(float* d, const void* a, const void* b,
                                                    const float* c) {
  const unsigned* x = static_cast<const unsigned*>(a);
  const unsigned* y = static_cast<const unsigned*>(b);
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32"
               " {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
               : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
               : "r"(x[0]), "r"(x[1]), "r"(y[0]),
                 "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
}
)";

inline constexpr std::string_view kF16F16K8 =
    R"(
__device__ __forceinline__ void mma_m16n8k8_f16_f16(void* d, const void* a, const void* b,
                                                    const void* c) {
  const unsigned* x = static_cast<const unsigned*>(a);
  const unsigned* y = static_cast<const unsigned*>(b);
  const unsigned* s = static_cast<const unsigned*>(c);
  unsigned* z = static_cast<unsigned*>(d);
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16"
               " {%0, %1}, {%2, %3}, {%4}, {%5, %6};"
               : "=r"(z[0]), "=r"(z[1])
               : "r"(x[0]), "r"(x[1]), "r"(y[0]),
                 "r"(s[0]), "r"(s[1]));
}
)";

inline constexpr std::string_view kF32Tf32K8 =
    R"(
__device__ __forceinline__ void mma_m16n8k8_f32_tf32(float* d, const void* a, const void* b,
                                                     const float* c) {
  const unsigned* x = static_cast<const unsigned*>(a);
  const unsigned* y = static_cast<const unsigned*>(b);
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"
               " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
               : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
               : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]),
                 "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
}
)";

inline constexpr std::string_view kS32S8K32 =
    R"(
__device__ __forceinline__ void mma_m16n8k32_s32_s8(int* d, const void* a, const void* b,
                                                    const int* c) {
  const unsigned* x = static_cast<const unsigned*>(a);
  const unsigned* y = static_cast<const unsigned*>(b);
  asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32"
               " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
               : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]),
                 "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
}
)";

inline constexpr std::string_view kS32S8M8K16 =
    R"(
__device__ __forceinline__ void mma_m8n8k16_s32_s8(int* d, const void* a, const void* b, const int* c) {
  const unsigned* x = static_cast<const unsigned*>(a);
  const unsigned* y = static_cast<const unsigned*>(b);
  asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%4, %5};"
               : "=r"(d[0]), "=r"(d[1])
               : "r"(x[0]), "r"(y[0]), "r"(c[0]), "r"(c[1]));
}
)";

inline constexpr std::string_view kS32U8K32 =
    R"(
__device__ __forceinline__ void mma_m16n8k32_s32_u8(int* d, const void* a, const void* b,
                                                    const int* c) {
  const unsigned* x = static_cast<const unsigned*>(a);
  const unsigned* y = static_cast<const unsigned*>(b);
  asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32"
               " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
               : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]),
                 "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
}
)";

inline constexpr std::string_view kF32E4M3K32 =
    R"(
__device__ __forceinline__ void mma_m16n8k32_f32_e4m3(float* d, const void* a, const void* b,
                                                      const float* c) {
  const unsigned* x = static_cast<const unsigned*>(a);
  const unsigned* y = static_cast<const unsigned*>(b);
  asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32"
               " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
               : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
               : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]),
                 "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
}
)";

inline constexpr std::string_view kF32E5M2K32 =
    R"(
__device__ __forceinline__ void mma_m16n8k32_f32_e5m2(float* d, const void* a, const void* b,
                                                      const float* c) {
  const unsigned* x = static_cast<const unsigned*>(a);
  const unsigned* y = static_cast<const unsigned*>(b);
  asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32"
               " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
               : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
               : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]),
                 "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
}
)";

}  // namespace loom::device::mma_texts
