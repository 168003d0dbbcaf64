#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/report.h"
#include "app/cli/setup.h"
#include "app/cli/verb_list.h"
#include "core/document/ready_function.h"
#include "core/script/printer.h"

namespace loom::cli {
namespace {

ExitStatus listFunctions(const Setup& setup, const CommonOptions& common) {
  auto all = document::readyFunctions(setup.assets);
  if (!all) return report(all.error());
  const std::string language = languageOf(common);
  for (const document::ReadyFunction& function : *all) {
    std::string sizes;
    auto values = nlohmann::ordered_json::object();
    for (const auto& size : function.sizes) {
      sizes += fmt::format("{}{}={}", sizes.empty() ? "" : ",", size.name, size.value);
      values[size.name] = {{"default", size.value}, {"what", document::in(size.what, language)}};
    }
    const std::string& title = document::in(function.title, language);
    if (common.json) {
      printJson({{"name", function.name}, {"title", title}, {"sizes", values}});
    } else {
      fmt::print("{:<8} {}\n         {}:{}\n", function.name, title, function.name, sizes);
    }
  }
  return ExitStatus::kDone;
}

ExitStatus printFunction(const std::string& word, const Setup& setup) {
  auto target = document::openTarget({word}, setup.assets, setup.environment());
  if (!target) return report(target.error());
  fmt::print("{}\n", script::print(target->history.node(0).state.module()).text);
  return ExitStatus::kDone;
}

}  // namespace

Action declareFunctions(CLI::App& command, const Context& context) {
  auto word = std::make_shared<std::string>();
  command.add_option("NAME", *word, "Write this one as TVMScript, perhaps with sizes: gemv:M=512,K=100");
  return [word, &context] {
    auto setup = openSetup();
    if (!setup) return report(setup.error());
    return word->empty() ? listFunctions(*setup, context.common) : printFunction(*word, *setup);
  };
}

}  // namespace loom::cli
