// CUDA texts of products of a warpgroup, which are written per shape: PTX names each register of the sum.
#pragma once
#include <string>

#include "core/device/program.h"

namespace loom::device {

// What a text and PTX call the elements of a product, and the size of it.
struct WgmmaText {
  ProductTile tile;
  std::string_view factors, sum;  // "f16", "f32": also in PTX
  std::string_view type;          // of the sum in CUDA: "float"
  char constraint = 'f';          // of its registers in inline assembly
  bool scales = true;             // whether PTX takes signs of the factors: not of integers
  bool transposes = true;         // whether PTX takes the factors' orders: of 16-bit elements alone
};

// "wgmma_m64n128k16_f32_f16"
std::string wgmmaFunction(const WgmmaText& t);
// The function that a text with this product begins with.
std::string wgmmaProductText(const WgmmaText& t);
// The functions that fill a sum and store it: wgmma_fill, wgmma_store.
std::string_view wgmmaFillText();
std::string_view wgmmaStoreText();
std::string_view wgmmaStoreColumnsText();

}  // namespace loom::device
