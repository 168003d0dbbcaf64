// CUDA texts of products of a warpgroup, which are written per shape: PTX names each register of the sum.
#pragma once
#include <string>

#include "core/device/program.h"

namespace loom::device {

// The size of a product, and how a function's name and PTX name its element types.
struct WgmmaText {
  ProductTile tile;
  std::string_view factors, sum;  // "f16", "f32": also in PTX
  std::string_view type;          // of the sum in CUDA: "float"
  char constraint = 'f';          // of its registers in inline assembly
  bool scales = true;             // whether PTX takes signs of the factors: not of integers
  bool transposes = true;         // whether PTX takes the factors' orders: of 16-bit elements alone
  bool turnsA = false;            // whether the first factor lies by columns, [k, m]
};

// Returns the name of the device function, such as "wgmma_m64n128k16_f32_f16", and "…_turned" where the first factor
// lies by columns.
std::string wgmmaFunction(const WgmmaText& t);
// Returns the definition of the device function, which stands at the beginning of a CUDA text with this product.
std::string wgmmaProductText(const WgmmaText& t);
// Returns the definitions of the functions that fill a sum (wgmma_fill) and store it (wgmma_store).
std::string_view wgmmaFillText();
std::string_view wgmmaStoreText();
std::string_view wgmmaStoreColumnsText();

}  // namespace loom::device
