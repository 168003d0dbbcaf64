#include "app/ui/fonts.h"

#include <fontconfig/fontconfig.h>
#include <imgui.h>

#include <initializer_list>
#include <memory>
#include <string_view>

namespace loom::window {
namespace {

constexpr float kLoadedSize = 13;

using Pattern = std::unique_ptr<FcPattern, decltype(&FcPatternDestroy)>;

FontFile matchFamily(const char* family, bool semibold) {
  Pattern pattern(FcPatternCreate(), FcPatternDestroy);
  FcPatternAddString(pattern.get(), FC_FAMILY, reinterpret_cast<const FcChar8*>(family));
  FcPatternAddInteger(pattern.get(), FC_WEIGHT, semibold ? FC_WEIGHT_DEMIBOLD : FC_WEIGHT_REGULAR);
  FcPatternAddInteger(pattern.get(), FC_SLANT, FC_SLANT_ROMAN);
  FcConfigSubstitute(nullptr, pattern.get(), FcMatchPattern);
  FcDefaultSubstitute(pattern.get());
  FcResult result = FcResultNoMatch;
  Pattern match(FcFontMatch(nullptr, pattern.get(), &result), FcPatternDestroy);
  FcChar8* found = nullptr;
  FcChar8* file = nullptr;
  // fontconfig always answers with some face; only the family that was asked for counts.
  if (!match || FcPatternGetString(match.get(), FC_FAMILY, 0, &found) != FcResultMatch ||
      std::string_view(reinterpret_cast<const char*>(found)) != family ||
      FcPatternGetString(match.get(), FC_FILE, 0, &file) != FcResultMatch) {
    return {};
  }
  int index = 0;
  FcPatternGetInteger(match.get(), FC_INDEX, 0, &index);
  return {reinterpret_cast<const char*>(file), index & 0xffff};
}

// How much darker the edges of a face are drawn that stands in for a semibold one: its strokes then look as heavy as
// Inter 600 beside them.
constexpr float kHeavier = 1.8F;

ImFont* addFace(const FontFile& face, bool merge, float heavier = 1) {
  ImFontConfig config;
  config.FontNo = static_cast<ImU32>(face.index);
  config.MergeMode = merge;
  config.RasterizerMultiply = heavier;
  return ImGui::GetIO().Fonts->AddFontFromFileTTF(face.file.c_str(), kLoadedSize, &config);
}

// What `face` lacks comes from the others, the first that has it.
ImFont* addFaceWithOthers(const FontFile& face, std::initializer_list<FontFile> others, float othersHeavier = 1) {
  ImFont* font = face.file.empty() ? nullptr : addFace(face, false);
  if (font == nullptr) {
    ImFontConfig config;
    config.SizePixels = kLoadedSize;
    font = ImGui::GetIO().Fonts->AddFontDefault(&config);
  }
  for (const FontFile& other : others) {
    if (!other.file.empty()) addFace(other, true, othersHeavier);
  }
  return font;
}

}  // namespace

FontFile findFont(const FontWish& wish) {
  for (const char* family : wish.families) {
    if (family == nullptr) {
      break;
    }
    if (FontFile face = matchFamily(family, wish.semibold); !face.file.empty()) {
      return face;
    }
  }
  return {};
}

Fonts loadFonts(bool system) {
  if (!system) {
    Fonts own;
    own.text = own.strong = own.code = addFaceWithOthers({}, {});
    return own;
  }
  const FontFile chinese = findFont({{"WenQuanYi Micro Hei", "Noto Sans CJK SC", "Noto Sans SC"}});
  FontWish wish{{"Noto Sans CJK SC", "WenQuanYi Micro Hei", "Noto Sans SC"}, true};
  const FontFile chineseStrong = findFont(wish);
  wish.semibold = false;
  const FontFile regular = findFont(wish);
  // WenQuanYi has one weight; a heading's Chinese is to be as strong as the Latin words in it.
  const bool oneWeight = chineseStrong.file == regular.file && chineseStrong.index == regular.index;
  const FontFile plain = findFont({{"Inter", "Inter Variable", "DejaVu Sans"}});
  Fonts fonts;
  fonts.text = addFaceWithOthers(plain, {chinese});
  fonts.strong = addFaceWithOthers(findFont({{"Inter", "Inter Variable", "DejaVu Sans"}, true}), {chineseStrong},
                                   oneWeight ? kHeavier : 1);
  // Figures have thin spaces, which code faces lack.
  fonts.code = addFaceWithOthers(findFont({{"JetBrains Mono", "DejaVu Sans Mono", nullptr}}), {chinese, plain});
  fonts.chinese = !chinese.file.empty();
  return fonts;
}

}  // namespace loom::window
