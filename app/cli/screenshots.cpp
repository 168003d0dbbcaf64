#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/verb_list.h"

namespace loom::cli {

Action declareScreenshots(CLI::App& command, const Context& context) {
  auto request = std::make_shared<WorkbenchRequest>();
  request->screenshots.emplace();
  command.add_option("FOLDER", *request->screenshots, "Where the PNG files go")->required();
  command.add_flag("--frames", request->frames, "Print how long frames take");
  return [request, &context] { return context.workbench(*request, context.common); };
}

}  // namespace loom::cli
