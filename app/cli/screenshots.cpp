#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "app/cli/verb_list.h"

namespace loom::cli {

namespace {

// "1600x1000" into both; what is no size of a window is said.
std::string readSize(const std::string& text, int& width, int& height) {
  char rest = 0;
  constexpr int kLeast = 320, kMost = 16384;
  const bool two = std::sscanf(text.c_str(), "%5dx%5d%c", &width, &height, &rest) == 2;
  const bool fits = two && width >= kLeast && height >= kLeast && width <= kMost && height <= kMost;
  return fits ? "" : "expected WIDTHxHEIGHT, each from 320 to 16384";
}

// What is no place in a panel is said.
std::string readPlace(const std::string& text, std::vector<document::Pointer>& places) {
  if (text == "all") {
    places = document::allPlaces();
    return "";
  }
  auto place = document::parsePointer(text);
  if (!place) return place.error().message;
  places.push_back(*place);
  return "";
}

}  // namespace

Action declareScreenshots(CLI::App& command, const Context& context) {
  auto request = std::make_shared<WorkbenchRequest>();
  request->screenshots.emplace();
  command.add_option("FOLDER", *request->screenshots, "Where the PNG files go")->required();
  command
      .add_option_function<std::string>(
          "--size", [request](const std::string& text) { readSize(text, request->width, request->height); },
          "Of the window: 1600x1000")
      ->check(CLI::Validator(
          [](const std::string& text) {
            int width = 0, height = 0;
            return readSize(text, width, height);
          },
          "WIDTHxHEIGHT"));
  auto* panels = command.add_option_function<std::vector<std::string>>(
      "--panels",
      [request](const std::vector<std::string>& texts) {
        for (const std::string& text : texts) readPlace(text, request->panels);
      },
      "Pictures of these instead, each cut out of the window: all, or memory,performance/roofline,threads/lanes");
  panels->delimiter(',')->check(CLI::Validator(
      [](const std::string& text) {
        std::vector<document::Pointer> places;
        return readPlace(text, places);
      },
      "PANEL[/PART]"));
  constexpr int kSmallest = 75, kLargest = 300, kMostStates = 1'000'000, kMostTrials = 100'000;
  command.add_option("--states", request->states, "For --panels: their numbers; without: where the chapters end")
      ->delimiter(',')
      ->check(CLI::Range(0, kMostStates))
      ->needs(panels);
  command.add_option("--beside", request->beside, "For --panels and --frames: each state side by side with this one")
      ->check(CLI::Range(0, kMostStates));
  command.add_option("--theme", request->theme, "For --panels: dark")
      ->check(CLI::IsMember({"dark", "light", "contrast"}))
      ->needs(panels);
  command.add_option("--scale", request->scalePercent, "For --panels, in percent: 100")
      ->check(CLI::Range(kSmallest, kLargest))
      ->needs(panels);
  command
      .add_flag("--check", request->check,
                "For --panels: print where text is cut, covers other text or is faint; pictures only of those")
      ->needs(panels);
  command
      .add_option("--trials", request->trials,
                  "For --panels: first search from each state and measure so many schedules at most")
      ->check(CLI::Range(1, kMostTrials))
      ->needs(panels);
  command.add_option("--open", request->file, "A lesson, a document or a function: tensor_core")->needs(panels);
  command.add_flag("--frames", request->frames, "Print how long frames take");
  return [request, &context] { return context.workbench(*request, context.common); };
}

}  // namespace loom::cli
