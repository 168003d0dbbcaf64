// CUDA texts of the matrix products of a warpgroup (wgmma). There is a device function for each shape and type of
// product, because a wgmma instruction of PTX names each register of the sum.
#pragma once
#include <string>

#include "core/device/program.h"

namespace loom::device {

// The size of a product, and how a function's name and PTX name its element types.
struct WgmmaText {
  ProductTile tile;               // the extents m, n and k in elements
  std::string_view factors, sum;  // the element types as PTX names them: "f16", "f32"
  std::string_view type;          // the element type of the sum in CUDA: "float"
  char constraint = 'f';          // the constraint letter of the sum's registers in inline assembly
  bool scales = true;             // whether the instruction has operands for the factors' signs; integers have none
  bool transposes = true;         // whether it has operands for the factors' orders; only 16-bit elements have them
  bool turnsA = false;  // whether the first factor lies column by column in memory, [k, m]; needs `transposes`
};

// Returns the name of the device function, such as "wgmma_m64n128k16_f32_f16", and "…_turned" where the first factor
// lies by columns.
std::string wgmmaFunction(const WgmmaText& t);
// Returns the definition of the device function, which stands at the beginning of a CUDA text with this product. The
// function takes the array of a thread's registers of the sum, to which the product is added, and the descriptors of
// both factors in shared memory; it only starts the product: fence, commit and wait are the caller's. Where
// `transposes` is true, it is a template over an int: 1 for a second factor that lies by rows, [k, n], and 0 for one by
// columns.
std::string wgmmaProductText(const WgmmaText& t);
// Return the definitions of the device functions that fill a sum with a value (wgmma_fill), store a sum (wgmma_store),
// and store some of its columns (wgmma_store_columns), called by all threads of a warpgroup:
//   wgmma_fill(sum, value)
//   wgmma_store<swizzle>(buffer, first element, leading, slab, sum)
//   wgmma_store_columns<swizzle, number of columns>(buffer, first element, leading, slab, sum, first column)
// With a swizzle of 0, row r begins r · leading elements after the first element, and `slab` isn't used. Otherwise a
// slab is 64 lines of as many columns as fill `swizzle` (32, 64 or 128) bytes, one line behind the other; the next
// columns are in the slab `slab` elements further on, and `leading` isn't used. The first column stored is that at the
// first element.
std::string_view wgmmaFillText();
std::string_view wgmmaStoreText();
std::string_view wgmmaStoreColumnsText();

}  // namespace loom::device
