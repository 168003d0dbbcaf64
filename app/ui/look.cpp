#include "app/ui/look.h"

#include <algorithm>

namespace loom::window {
namespace {

void setMeasures(ImGuiStyle& style) {
  style.DisabledAlpha = 0.7F;  // what can't be chosen now can still be read
  style.WindowPadding = {8, 8};
  style.FramePadding = {8, 4};
  style.ItemSpacing = {8, 4};
  style.ItemInnerSpacing = {6, 4};
  style.CellPadding = {6, 3};
  style.ScrollbarSize = 12;
  style.GrabMinSize = 10;
  style.WindowRounding = style.ChildRounding = style.PopupRounding = 3;
  style.FrameRounding = style.TabRounding = style.GrabRounding = style.ScrollbarRounding = 3;
  style.WindowBorderSize = style.PopupBorderSize = style.ChildBorderSize = 1;
  style.FrameBorderSize = 0;
  style.TabBorderSize = 0;
  style.TabBarBorderSize = 0;
  style.TabBarOverlineSize = 0;
  style.DockingSeparatorSize = 4;
  style.WindowMenuButtonPosition = ImGuiDir_None;
  style.HoverStationaryDelay = 0.12F;
  style.HoverDelayShort = 0.12F;
}

void setColours(ImGuiStyle& style, const Look& look) {
  auto set = [&](ImGuiCol where, Tone tone, float alpha = 1) { style.Colors[where] = look.colour(tone, alpha); };
  look.theme == Theme::kLight ? ImGui::StyleColorsLight(&style) : ImGui::StyleColorsDark(&style);
  set(ImGuiCol_Text, Tone::kText);
  set(ImGuiCol_TextDisabled, Tone::kTextFaint);
  set(ImGuiCol_TextLink, Tone::kText);
  set(ImGuiCol_TextSelectedBg, Tone::kGhost, 0.35F);
  set(ImGuiCol_InputTextCursor, Tone::kText);
  set(ImGuiCol_WindowBg, Tone::kPanel);
  set(ImGuiCol_ChildBg, Tone::kPanel, 0);
  set(ImGuiCol_PopupBg, Tone::kStrip);
  set(ImGuiCol_MenuBarBg, Tone::kWindow);
  set(ImGuiCol_DockingEmptyBg, Tone::kWindow);
  set(ImGuiCol_DockingPreview, Tone::kGhost, 0.4F);
  set(ImGuiCol_Border, Tone::kLine);
  set(ImGuiCol_BorderShadow, Tone::kLine, 0);
  set(ImGuiCol_Separator, Tone::kWindow);
  set(ImGuiCol_SeparatorHovered, Tone::kHovered);
  set(ImGuiCol_SeparatorActive, Tone::kGhost);
  set(ImGuiCol_FrameBg, Tone::kStrip);
  set(ImGuiCol_FrameBgHovered, Tone::kHovered);
  set(ImGuiCol_FrameBgActive, Tone::kHovered);
  set(ImGuiCol_Button, Tone::kStrip);
  set(ImGuiCol_ButtonHovered, Tone::kHovered);
  set(ImGuiCol_ButtonActive, Tone::kLine);
  set(ImGuiCol_Header, Tone::kStrip);
  set(ImGuiCol_HeaderHovered, Tone::kHovered);
  set(ImGuiCol_HeaderActive, Tone::kLine);
  for (ImGuiCol strip : {ImGuiCol_TitleBg, ImGuiCol_TitleBgActive, ImGuiCol_TitleBgCollapsed, ImGuiCol_Tab,
                         ImGuiCol_TabDimmed, ImGuiCol_TableHeaderBg}) {
    set(strip, Tone::kStrip);
  }
  set(ImGuiCol_TabHovered, Tone::kHovered);
  set(ImGuiCol_TabSelected, Tone::kPanel);
  set(ImGuiCol_TabDimmedSelected, Tone::kPanel);
  set(ImGuiCol_TabSelectedOverline, Tone::kSelected);
  set(ImGuiCol_TabDimmedSelectedOverline, Tone::kLine);
  set(ImGuiCol_ScrollbarBg, Tone::kPanel, 0);
  set(ImGuiCol_ScrollbarGrab, Tone::kHovered);
  set(ImGuiCol_ScrollbarGrabHovered, Tone::kLine);
  set(ImGuiCol_ScrollbarGrabActive, Tone::kTextFaint);
  set(ImGuiCol_CheckMark, Tone::kText);
  set(ImGuiCol_CheckboxSelectedBg, Tone::kHovered);
  set(ImGuiCol_SliderGrab, Tone::kTextFaint);
  set(ImGuiCol_SliderGrabActive, Tone::kText);
  set(ImGuiCol_ResizeGrip, Tone::kLine, 0);
  set(ImGuiCol_ResizeGripHovered, Tone::kHovered);
  set(ImGuiCol_ResizeGripActive, Tone::kLine);
  set(ImGuiCol_TableBorderStrong, Tone::kLine);
  set(ImGuiCol_TableBorderLight, Tone::kStrip);
  set(ImGuiCol_TableRowBg, Tone::kPanel, 0);
  set(ImGuiCol_TableRowBgAlt, Tone::kStrip, 0.5F);
  set(ImGuiCol_NavCursor, Tone::kSelected);
  set(ImGuiCol_DragDropTarget, Tone::kChanged);
  set(ImGuiCol_ModalWindowDimBg, Tone::kWindow, 0.6F);
  set(ImGuiCol_PlotLines, Tone::kTextSecond);
  set(ImGuiCol_PlotHistogram, Tone::kTextSecond);
}

}  // namespace

// Asked for thousands of times a frame.
ImU32 Look::paint(Tone tone, float alpha) const {
  const std::uint32_t value = rgb(tone, theme);
  const auto opaque = static_cast<std::uint32_t>(std::clamp(alpha, 0.0F, 1.0F) * 255.0F + 0.5F);
  return IM_COL32(value >> 16 & 0xff, value >> 8 & 0xff, value & 0xff, opaque);
}

ImVec4 Look::colour(Tone tone, float alpha) const {
  const std::uint32_t value = rgb(tone, theme);
  auto channel = [&](int shift) { return static_cast<float>(value >> shift & 0xff) / 255.0F; };
  return {channel(16), channel(8), channel(0), alpha};
}

void applyStyle(const Look& look) {
  ImGuiStyle& style = ImGui::GetStyle();
  style = ImGuiStyle();
  setMeasures(style);
  setColours(style, look);
  style.FontSizeBase = kTextSize;
  style.AntiAliasedLinesUseTex = false;  // those need bilinear sampling; Host has glyphs sampled to the nearest texel
  style.ScaleAllSizes(look.scale);
  // Hairlines stay one device pixel at every scale.
  style.WindowBorderSize = style.PopupBorderSize = style.ChildBorderSize = 1;
  style.FontScaleMain = look.scale;
}

}  // namespace loom::window
