// The table of rules as a person reads it.
#include <algorithm>

#include "core/tune/rules/rules_at.h"

namespace loom::tune {

namespace {

struct Words {
  const char* number;
  RuleStage stage;
  Message name, condition;
};

const std::vector<Words>& wordsOfRules() {
  using enum RuleStage;
  static const std::vector<Words> kWords{
      {"R1", Inline, message("always inline"), message("an elementwise block that others read")},
      {"R2", Memory, message("pad"), message("no tile divides an extent of a product")},
      {"R3", Memory, message("tensorize"), message("a sum of products in a type that the device's matrix unit takes")},
      {"R4", Memory, message("multi-level tiling"), message("a sum of products, whose operands are used again")},
      {"R5", Memory, message("add cache stage"), message("results that are summed up over tiles")},
      {"R6", Memory, message("multi-level SPM"), message("operands that several warps of a block read")},
      {"R7", Memory, message("multi-scope SPM"), message("a matrix instruction with scopes of its own")},
      {"R8", Memory, message("cooperative fetch"), message("tiles in shared memory")},
      {"R9", Memory, message("bank layout"), message("rows in shared memory that meet in banks")},
      {"R10", Rest, message("pipeline"), message("a loop over tiles, with room for more than one")},
      {"R11", Rest, message("decompose init"), message("a sum whose start stands in its block")},
      {"R12", Rest, message("unroll"), message("short loops innermost")},
      {"R13", Memory, message("virtual threads"), message("a sum of products on CUDA cores")},
      {"R14", Rest, message("cross-thread reduction"), message("a reduction with few results, or rows of one")},
      {"R15", Memory, message("sum in slices"), message("a long sum with few results")},
      {"R16", Inline, message("fuse consumer"), message("an elementwise block that alone reads a product")},
      {"R17", Memory, message("raster order"),
       message("operands larger than half the L2 cache; of warpgroups more large tiles than multiprocessors")},
      {"R18", Memory, message("warpgroups"),
       message(
           "a sum of products on a device of compute capability 9.0, in types that wgmma takes, with rows of whole 16 "
           "bytes in memory; tiles may reach beyond other sizes by an eighth")},
      {"R19", Rest, message("auto-bind"), message("a block that no other rule took")},
      {"R21", Rest, message("neighbouring results"),
       message("results of few elements each: stencils, pools, depthwise convolutions, windows")},
      {"R22", Rest, message("turned tiles"),
       message("an elementwise block that reads along another axis than it writes")},
  };
  return kWords;
}

}  // namespace

const std::vector<RuleTableRow>& ruleTable() {
  static const std::vector<RuleTableRow> kTable = [] {
    std::vector<const Rule*> all{&inlineRule()};
    for (const Rule& rule : rules()) all.push_back(&rule);
    all.push_back(&crossThreadRule());
    all.push_back(&bindRule());
    all.push_back(&neighboursRule());
    all.push_back(&turningRule());
    std::vector<RuleTableRow> table;
    for (const Rule* rule : all) {
      const auto same = [&](const auto& row) { return std::string_view(row.number) == rule->number; };
      if (std::ranges::any_of(table, same)) continue;
      RuleTableRow row{rule->number, rule->name, verbatim(rule->name), rule->sentence(), {}, RuleStage::Rest};
      const auto words = std::ranges::find_if(wordsOfRules(), same);
      if (words != wordsOfRules().end())
        row.words = words->name, row.condition = words->condition, row.stage = words->stage;
      table.push_back(std::move(row));
    }
    std::ranges::stable_sort(table, {}, [](const RuleTableRow& row) { return std::stoi(row.number.substr(1)); });
    return table;
  }();
  return kTable;
}

const RuleTableRow* ruleNumbered(std::string_view number) {
  const auto found = std::ranges::find(ruleTable(), number, &RuleTableRow::number);
  return found == ruleTable().end() ? nullptr : &*found;
}

}  // namespace loom::tune
