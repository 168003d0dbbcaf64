// Each operation on scalars of each dtype reads and prints as TVM's does, and is refused where TVM refuses it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "core/ir/operation.h"
#include "core/script/parser.h"
#include "core/script/printer.h"

using namespace loom;

namespace {

struct Row {
  std::vector<std::string> dtypes;  // of A and B
  std::string expression, value, printed;
};

// tests/script/golden/operations.txt, which tests/oracle/operations.py makes.
std::vector<Row> rows() {
  std::ifstream in(std::string(TILELOOM_SOURCE_DIR) + "/tests/script/golden/operations.txt");
  std::vector<Row> all;
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> cells;
    std::size_t at = 0;
    for (int n = 0; n < 3; ++n) {
      std::size_t bar = line.find('|', at);
      cells.push_back(line.substr(at, bar - at));
      at = bar + 1;
    }
    Row row;
    std::istringstream dtypes(cells[0]);
    for (std::string t; dtypes >> t;) row.dtypes.push_back(t);
    auto trim = [](std::string text) {
      text.erase(0, text.find_first_not_of(' '));
      text.erase(text.find_last_not_of(' ') + 1);
      return text;
    };
    row.expression = trim(cells[1]);
    row.value = trim(cells[2]);
    row.printed = at < line.size() ? trim(line.substr(at)) : "";
    all.push_back(row);
  }
  return all;
}

std::string function(const Row& row, const std::string& value) {
  std::string parameters;
  for (std::size_t i = 0; i < row.dtypes.size(); ++i) {
    parameters += fmt::format("{}: T.Buffer((8,), \"{}\"), ", "AB"[i], row.dtypes[i]);
  }
  return fmt::format(
      R"(@T.prim_func
def main({}C: T.Buffer((8,), "{}")):
    for i in range(8):
        with T.block("C"):
            vi = T.axis.spatial(8, i)
            C[vi] = {}
)",
      parameters, value, row.expression);
}

// The value that the printed program stores, or "refused".
std::string reprinted(const std::string& text) {
  auto module = script::parseModule(text, "t.py");
  if (!module) return "refused";
  std::istringstream in(script::print(*module).text);
  for (std::string line; std::getline(in, line);) {
    if (std::size_t at = line.find("C[vi] = "); at != std::string::npos) return line.substr(at + 8);
  }
  return "not stored";
}

}  // namespace

TEST(Operations, ReadAndPrintAsTvmDoes) {
  auto all = rows();
  ASSERT_GE(all.size(), 1600u);
  for (const Row& row : all) {
    const bool refused = row.value == "refused";
    // What is refused is so wherever its value would go.
    EXPECT_EQ(reprinted(function(row, refused ? "float32" : row.value)), refused ? "refused" : row.printed)
        << fmt::format("{} of {}", row.expression, fmt::join(row.dtypes, ", "));
  }
}

TEST(Operations, WhatIsPrintedReadsBack) {
  for (Row row : rows()) {
    if (row.value == "refused") continue;
    row.expression = row.printed;
    EXPECT_EQ(reprinted(function(row, row.value)), row.printed);
  }
}

TEST(Operations, EachRowIsFoundByItsName) {
  for (const ir::Operation& o : ir::operations()) EXPECT_EQ(ir::findOperation(o.name), &o) << o.name;
  EXPECT_EQ(ir::findOperation("tvm_mma_sync"), nullptr);
  EXPECT_EQ(ir::findOperation(""), nullptr);
}

TEST(Operations, OperandsAreCounted) {
  for (const char* e : {"T.exp()", "T.exp(A[vi], A[vi])", "T.pow(A[vi])", "T.clz()", "T.isnan(A[vi], 1)",
                        "T.reinterpret(\"int32\")", "T.exp(y=A[vi])"}) {
    EXPECT_EQ(reprinted(function({{"float32"}, e, "", ""}, "float32")), "refused") << e;
  }
}
