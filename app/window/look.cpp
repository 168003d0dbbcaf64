#include "app/window/look.h"

#include <implot.h>
#include <implot3d.h>

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

void setPlotColours(const Look& look) {
  ImPlotStyle& plot = ImPlot::GetStyle();
  look.theme == Theme::kLight ? ImPlot::StyleColorsLight(&plot) : ImPlot::StyleColorsDark(&plot);
  plot.Colors[ImPlotCol_FrameBg] = look.colour(Tone::kPanel, 0);
  plot.Colors[ImPlotCol_PlotBg] = look.colour(Tone::kPanel, 0);
  plot.Colors[ImPlotCol_PlotBorder] = look.colour(Tone::kLine);
  plot.Colors[ImPlotCol_AxisGrid] = look.colour(Tone::kLine);
  plot.Colors[ImPlotCol_AxisText] = look.colour(Tone::kTextFaint);
  plot.Colors[ImPlotCol_AxisTick] = look.colour(Tone::kLine);
  plot.Colors[ImPlotCol_LegendBg] = look.colour(Tone::kStrip);
  plot.Colors[ImPlotCol_LegendText] = look.colour(Tone::kText);
  plot.Colors[ImPlotCol_InlayText] = look.colour(Tone::kTextSecond);
  plot.Colors[ImPlotCol_TitleText] = look.colour(Tone::kText);
  plot.PlotPadding = {look.px(8), look.px(6)};
  plot.LabelPadding = {look.px(4), look.px(4)};
  ImPlot3D::GetStyle().Colors[ImPlot3DCol_FrameBg] = look.colour(Tone::kPanel, 0);
  ImPlot3D::GetStyle().Colors[ImPlot3DCol_PlotBg] = look.colour(Tone::kPanel, 0);
}

}  // namespace

ImU32 Look::paint(Tone tone, float alpha) const { return ImGui::ColorConvertFloat4ToU32(colour(tone, alpha)); }

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
  setPlotColours(look);
}

}  // namespace loom::window
