#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/report.h"
#include "app/cli/setup.h"
#include "app/cli/verb_list.h"
#include "app/text/messages.h"
#include "app/text/singular.h"
#include "core/tune/rules/rules_at.h"

namespace loom::cli {
namespace {

using nlohmann::ordered_json;

const char* nameOf(tune::RuleStage stage) {
  return stage == tune::RuleStage::Inline ? "inline" : stage == tune::RuleStage::Memory ? "memory" : "rest";
}

std::string inLanguage(const std::string& language, const Message& message) {
  return text::wordsOf(language == "zh" ? text::Language::kChinese : text::Language::kEnglish, message);
}

void printTable(const CommonOptions& common) {
  const std::string language = languageOf(common);
  for (const tune::RuleTableRow& rule : tune::ruleTable()) {
    if (common.json) {
      ordered_json j = {{"number", rule.number}, {"name", rule.name}, {"stage", nameOf(rule.stage)}};
      for (const char* one : {"en", "zh"}) {
        j["words"][one] = inLanguage(one, rule.words);
        j["sentence"][one] = inLanguage(one, rule.sentence);
        j["condition"][one] = inLanguage(one, rule.condition);
      }
      printJson({{"rule", j}});
      continue;
    }
    const std::string words = inLanguage(language, rule.words);
    fmt::print("{:<4} {}{}\n     {}\n     {}\n", rule.number, rule.name,
               words == rule.name ? std::string() : " " + words, inLanguage(language, rule.condition),
               inLanguage(language, rule.sentence));
  }
}

void printOwn(const tune::OwnRule& rule, const CommonOptions& common) {
  if (common.json) {
    ordered_json decisions = ordered_json::array();
    for (const auto& decision : rule.decisions) decisions.push_back(decision.decision);
    printJson({{"rule",
                {{"number", "R20"},
                 {"name", rule.name},
                 {"file", rule.file},
                 {"sentence", rule.sentence},
                 {"decisions", decisions},
                 {"constraints", rule.constraints.size()},
                 {"lines", rule.lines.size()}}}});
    return;
  }
  const std::string counts = text::inSingular(fmt::format(
      "{} decisions, {} constraints, {} lines", rule.decisions.size(), rule.constraints.size(), rule.lines.size()));
  fmt::print("R20  {}\n     {}\n     {}: {}\n", rule.name, document::in(rule.sentence, languageOf(common)), counts,
             rule.file);
}

// Lists all rules; files that are wrong are reported, and the others are listed.
ExitStatus listAll(const CommonOptions& common) {
  const auto setup = openSetup();
  if (!setup) return report(setup.error());
  printTable(common);
  const tune::OwnRules own = tune::readOwnRules(tune::ownRuleFolders(setup->assets));
  for (const tune::OwnRule& rule : own.rules) printOwn(rule, common);
  ExitStatus status = ExitStatus::kDone;
  for (const Error& problem : own.problems) status = report(problem);
  return status;
}

ExitStatus checkFiles(const std::vector<std::string>& files, const CommonOptions& common) {
  ExitStatus status = ExitStatus::kDone;
  for (const std::string& file : files) {
    const auto rule = tune::readOwnRuleFile(file);
    if (rule) {
      printOwn(*rule, common);
    } else {
      status = report(rule.error());
    }
  }
  return status;
}

}  // namespace

Action declareRules(CLI::App& command, const Context& context) {
  auto files = std::make_shared<std::vector<std::string>>();
  command.add_option("FILE", *files, "Check these rules of one's own instead; assets/rules/README.md has the format");
  return [files, &context] { return files->empty() ? listAll(context.common) : checkFiles(*files, context.common); };
}

}  // namespace loom::cli
