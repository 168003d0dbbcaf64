// Programs as TVM saves them. tests/script/saved holds what `tests/oracle/saved.py --write` made of the golden cases.
#include "core/script/saved_program.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/script/parser.h"
#include "core/script/printer.h"

namespace loom::script::saved_program_test {
namespace {

using json = nlohmann::ordered_json;
namespace fs = std::filesystem;

const fs::path kSaved = fs::path(TILELOOM_SOURCE_DIR) / "tests/script/saved";

std::string text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The saved product, whose node number `node` is changed.
template <class Change>
Result<SavedProgram> changed(std::size_t node, const Change& change) {
  json graph = json::parse(text(kSaved / "product.json"));
  change(graph["nodes"].at(node));
  return readSavedProgram(graph.dump(), "m.json");
}

// The first node of the type.
std::size_t nodeOf(const std::string& type) {
  const json graph = json::parse(text(kSaved / "product.json"));
  for (std::size_t i = 0; i < graph["nodes"].size(); ++i) {
    if (graph["nodes"][i]["type_key"] == type) return i;
  }
  ADD_FAILURE() << type;
  return 0;
}

void expectRefused(const Result<SavedProgram>& read, const std::string& reason) {
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, "ParseError");
  EXPECT_EQ(read.error().place.file, "m.json");
  EXPECT_NE(read.error().message.english().find(reason), std::string::npos) << read.error().message.english();
}

TEST(SavedPrograms, HaveTheTextThatTvmPrints) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(kSaved)) {
    if (entry.path().extension() != ".json") continue;
    SCOPED_TRACE(entry.path());
    auto read = readSavedProgram(text(entry.path()), entry.path().string());
    ASSERT_TRUE(read) << read.error().message.english();
    EXPECT_TRUE(read->passedOver.empty());
    EXPECT_EQ(print(read->module).text + "\n", text(fs::path(entry.path()).replace_extension(".txt")));
    ++count;
  }
  EXPECT_GE(count, 6);
}

// Newer TVM writes {"type", "data"} with numbers as such and names in nodes of their own.
TEST(SavedPrograms, OfNewerTvmAreTheSame) {
  json graph = json::parse(text(kSaved / "product.json"));
  json nodes = json::array(), keys = json::array();
  const std::size_t count = graph["nodes"].size();
  for (const json& node : graph["nodes"]) {
    json n = {{"type", node["type_key"] == "" ? json("None") : node["type_key"]}};
    for (const char* key : {"repr_str", "data", "attrs"}) {
      if (node.contains(key)) n["data"] = node[key];
    }
    if (node.contains("attrs")) {
      for (auto& [key, value] : n["data"].items()) {
        const std::string word = value.get<std::string>();
        const bool number = !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
        value = word == "null" ? json() : number ? json(std::stoll(word)) : value;
      }
    }
    if (node.contains("keys")) {
      n["data"] = json::array();
      for (std::size_t i = 0; i < node["keys"].size(); ++i) {
        n["data"].push_back(count + keys.size());
        n["data"].push_back(node["data"][i]);
        keys.push_back({{"type", "ffi.String"}, {"data", node["keys"][i]}});
      }
    }
    nodes.push_back(n);
  }
  nodes.insert(nodes.end(), keys.begin(), keys.end());
  const json newer = {{"root_index", graph["root"]}, {"nodes", nodes}};
  auto read = readSavedProgram(newer.dump(), "m.json");
  ASSERT_TRUE(read) << read.error().message.english();
  EXPECT_EQ(print(read->module).text + "\n", text(kSaved / "product.txt"));
}

TEST(SavedPrograms, KeepTheIdsThatTheTextHas) {
  auto read = readSavedProgram(text(kSaved / "product.json"), "m.json");
  auto parsed = parseModule(text(kSaved / "product.txt"), "m.py");
  ASSERT_TRUE(read && parsed);
  EXPECT_EQ(read->module.functions[0]->body->block->id, parsed->functions[0]->body->block->id);
  EXPECT_EQ(read->module.functions[0]->params[1].buffer->id, parsed->functions[0]->params[1].buffer->id);
}

TEST(SavedPrograms, FunctionsOfOtherKindsArePassedOverByName) {
  json graph = json::parse(text(kSaved / "two_functions.json"));
  for (json& node : graph["nodes"]) {
    if (node["type_key"] == "tir.PrimFunc") {
      node["type_key"] = "relax.expr.Function";
      break;
    }
  }
  auto read = readSavedProgram(graph.dump(), "m.json");
  ASSERT_TRUE(read) << read.error().message.english();
  EXPECT_EQ(read->module.functions.size(), 1U);
  EXPECT_EQ(read->passedOver.size(), 1U);
}

TEST(SavedPrograms, WithoutAFunctionOfTirAreRefused) {
  const auto function = nodeOf("tir.PrimFunc");
  expectRefused(changed(function, [](json& n) { n["type_key"] = "relax.expr.Function"; }), "no function of TIR");
}

TEST(SavedPrograms, WhatIsNoGraphIsRefused) {
  for (const char* bad : {"", "[", "{}", "[]", "7", R"({"root": 1})", R"({"root": 1, "nodes": []})",
                          R"({"nodes": [{"type_key": ""}]})", R"({"root": 3, "nodes": [{"type_key": ""}]})",
                          R"({"root": 0, "nodes": [{"type_key": ""}]})", R"({"root": -1, "nodes": [1]})"}) {
    expectRefused(readSavedProgram(bad, "m.json"), "");
  }
  std::string deep(100'000, '[');
  expectRefused(readSavedProgram(deep, "m.json"), "JSON");
}

TEST(SavedPrograms, LogsOfTunersWithoutTensorIRAreNamed) {
  const std::string autotvm = R"({"input": ["cuda", "matmul", [], {}], "config": {"index": 1, "entity": []}})";
  expectRefused(readSavedProgram(autotvm + "\n" + autotvm, "m.json"), "AutoTVM");
  expectRefused(readSavedProgram(R"({"i": [["[]", "cuda"]], "r": [[0.1], 0, 1, 2], "v": "v0.6"})", "m.json"), "Ansor");
}

// TVM writes no text of an empty string.
TEST(SavedPrograms, NamesMayBeEmpty) {
  const json graph = json::parse(text(kSaved / "product.json"));
  std::string name;  // of the last block
  for (const json& node : graph["nodes"])
    if (node["type_key"] == "tir.Block") name = node["attrs"]["name_hint"];
  const auto read = changed(std::stoul(name), [](json& n) { n.erase("repr_str"); });
  ASSERT_TRUE(read) << read.error().message.english();
  EXPECT_NE(print(read->module).text.find("T.block(\"\")"), std::string::npos) << print(read->module).text;
}

TEST(SavedPrograms, OperandsOfTwoDtypesAreRefused) {
  const auto load = nodeOf("tir.BufferLoad");
  expectRefused(changed(load, [](json& n) { n["attrs"]["dtype"] = "int8"; }), "dtype");
}

TEST(SavedPrograms, FieldsThatAreMissingAreNamed) {
  const auto loop = nodeOf("tir.For");
  expectRefused(changed(loop, [](json& n) { n["attrs"].erase("extent"); }), "has no \"extent\"");
  expectRefused(changed(loop, [](json& n) { n["attrs"]["body"] = "null"; }), "is null");
  expectRefused(changed(loop, [](json& n) { n["attrs"]["kind"] = "17"; }), "kind");
  expectRefused(changed(loop, [](json& n) { n["attrs"]["body"] = "99999"; }), "isn't there");
}

TEST(SavedPrograms, NodesInACircleAreRefused) {
  const auto loop = nodeOf("tir.For");
  expectRefused(changed(loop, [&](json& n) { n["attrs"]["body"] = std::to_string(loop); }), "circle");
  const auto sum = nodeOf("tir.Add");
  expectRefused(changed(sum, [&](json& n) { n["attrs"]["a"] = std::to_string(sum); }), "circle");
}

TEST(SavedPrograms, ThatUnfoldToTooMuchAreRefused) {
  json graph = json::parse(text(kSaved / "product.json"));
  // The stored value is doubled sixty times, by sixty nodes.
  const auto sum = nodeOf("tir.Add");
  const json whole = graph["nodes"][sum];
  std::size_t last = graph["nodes"].size();
  graph["nodes"].push_back(whole);
  for (int i = 0; i < 60; ++i) {
    json twice = whole;
    twice["attrs"]["a"] = twice["attrs"]["b"] = std::to_string(last);
    last = graph["nodes"].size();
    graph["nodes"].push_back(twice);
  }
  graph["nodes"][sum] = graph["nodes"][last];
  expectRefused(readSavedProgram(graph.dump(), "m.json"), "too many");
}

}  // namespace
}  // namespace loom::script::saved_program_test
