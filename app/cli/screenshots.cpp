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
  command.add_flag("--frames", request->frames, "Print how long frames take");
  return [request, &context] { return context.workbench(*request, context.common); };
}

}  // namespace loom::cli
