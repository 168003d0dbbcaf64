#include "core/document/ready_function.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "core/document/json_text.h"
#include "core/document/matmul_function.h"
#include "core/document/open_text.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"

namespace loom::document {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t kMost = 2147483647;

Failure wrong(const fs::path& file, Message what) {
  auto failure = fail("FunctionError", std::move(what), Forbids::Input);
  failure.value().place.file = file.string();
  return failure;
}

Failure badValue(Message what) { return fail("ValueError", std::move(what), Forbids::Input); }

// "M = 4096" → its name and number; nothing for any other line.
struct SizeLine {
  std::string name;
  std::int64_t value = 0;
};
std::optional<SizeLine> sizeLine(std::string_view line) {
  const std::size_t mark = line.find(" = ");
  if (mark == std::string_view::npos || mark == 0) return std::nullopt;
  const std::string_view name = line.substr(0, mark), number = line.substr(mark + 3);
  if (!std::all_of(name.begin(), name.end(), [](char c) { return (c >= 'A' && c <= 'Z') || c == '_'; })) return {};
  SizeLine out{std::string(name), 0};
  const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), out.value);
  if (problem != std::errc() || end != number.data() + number.size()) return std::nullopt;
  return out;
}

// Calls `line` with each line of a text, without its end.
template <class Each>
void eachLine(std::string_view text, const Each& each) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    each(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

Translated wordsOf(const nlohmann::ordered_json& j) {
  Translated words;
  for (const char* language : {"en", "zh"}) {
    if (j.is_object() && j.contains(language) && j[language].is_string())
      words[language] = j[language].get<std::string>();
  }
  return words;
}

std::optional<Error> unusable(const ir::Function& function) {
  std::vector<ir::Buffer> buffers;
  for (const ir::Parameter& p : function->params) {
    if (p.buffer) buffers.push_back(p.buffer);
  }
  ir::forEachStmt(ir::Stmt(function->body), [&](const ir::Stmt& s) {
    if (auto* realize = ir::asRealize(s)) {
      for (const ir::Buffer& b : realize->block->allocs) buffers.push_back(b);
    }
    return true;
  });
  for (const ir::Buffer& b : buffers) {
    std::int64_t elements = 1;
    for (const ir::Expr& extent : b->shape) {
      const ir::IntImmNode* number = ir::asInt(extent);
      const std::int64_t value = number ? number->value : 1;
      if (value < 1) return badValue(message("these sizes leave {} without elements", b->name)).value();
      if (value > kMost / elements) {
        return badValue(message("{} has more than {} elements, the most that a buffer holds", b->name, kMost)).value();
      }
      elements *= value;
    }
  }
  return std::nullopt;
}

}  // namespace

Result<std::vector<ReadyFunction>> readyFunctions(const fs::path& assets) {
  const fs::path folder = assets / "functions", list = folder / "functions.json";
  auto text = readFile(list);
  if (!text) return Failure(text.error());
  auto rows = parseJson(*text, list.string());
  if (!rows) return Failure(rows.error());
  if (!rows->is_array()) return wrong(list, message("it is no list of functions"));
  std::vector<ReadyFunction> all;
  for (const auto& row : *rows) {
    if (!row.is_object() || !row.contains("name") || !row["name"].is_string() || !row.contains("sizes") ||
        !row["sizes"].is_object()) {
      return wrong(list, message("entry {} has no \"name\" and \"sizes\"", all.size() + 1));
    }
    ReadyFunction function;
    function.name = row["name"].get<std::string>();
    if (row.contains("title")) function.title = wordsOf(row["title"]);
    const fs::path file = folder / (function.name + ".py");
    auto body = readFile(file);
    if (!body) return Failure(body.error());
    function.text = std::move(*body);
    function.file = file.string();
    eachLine(function.text, [&](std::string_view line) {
      if (auto size = sizeLine(line)) function.sizes.push_back({size->name, size->value, {}});
    });
    for (auto& size : function.sizes) {
      if (!row["sizes"].contains(size.name))
        return wrong(list, message("{} lacks words for {}", file.string(), size.name));
      size.what = wordsOf(row["sizes"][size.name]);
    }
    if (function.sizes.size() != row["sizes"].size()) {
      return wrong(list, message("{} gives names to other sizes than its row", file.string()));
    }
    all.push_back(std::move(function));
  }
  return all;
}

Result<std::string> textOf(const ReadyFunction& function, const FunctionSizes& sizes) {
  for (const auto& [name, value] : sizes) {
    const bool has = std::any_of(function.sizes.begin(), function.sizes.end(),
                                 [&name = name](const ReadyFunction::Size& s) { return s.name == name; });
    if (!has) {
      std::string known;
      for (const auto& size : function.sizes) known += (known.empty() ? "" : ", ") + size.name;
      return badValue(message("{} has no size {}: it has {}", function.name, name, known));
    }
    if (value < 0 || value > kMost) return badValue(message("{} = {} is not between {} and {}", name, value, 0, kMost));
  }
  std::string text;
  eachLine(function.text, [&](std::string_view line) {
    const auto size = sizeLine(line);
    const auto given = size ? sizes.find(size->name) : sizes.end();
    text += given == sizes.end() ? std::string(line) : size->name + " = " + std::to_string(given->second);
    text += '\n';
  });
  return text;
}

Result<Target> openReady(const ReadyFunction& function, const FunctionSizes& sizes,
                         const schedule::Environment& environment) {
  auto text = textOf(function, sizes);
  if (!text) return Failure(text.error());
  auto target = openText(*text, function.file, environment);
  if (!target) return target;
  for (const ir::Function& f : target->history.node(0).state.module().functions) {
    if (auto problem = unusable(f)) return Failure(std::move(*problem));
  }
  return target;
}

std::optional<Result<Target>> openReadyWord(const std::string& word, const fs::path& assets,
                                            const schedule::Environment& environment) {
  const std::size_t mark = std::min(word.find(':'), word.size());
  const std::string name = word.substr(0, mark);
  if (name.empty() || name.find('/') != std::string::npos) return std::nullopt;
  std::error_code error;
  if (!fs::exists(assets / "functions" / (name + ".py"), error)) return std::nullopt;
  auto all = readyFunctions(assets);
  if (!all) return Failure(all.error());
  const auto found = std::find_if(all->begin(), all->end(), [&](const ReadyFunction& f) { return f.name == name; });
  if (found == all->end()) return std::nullopt;
  FunctionSizes sizes;
  std::string rest = mark < word.size() ? word.substr(mark + 1) : "";
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string part = rest.substr(0, comma);
    rest.erase(0, std::min(comma + 1, rest.size()));
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos) return badValue(message("\"{}\" is no size: write NAME=NUMBER", part));
    auto value = readSize(part.substr(0, equals), part.substr(equals + 1));
    if (!value) return Failure(value.error());
    sizes[part.substr(0, equals)] = *value;
  }
  return openReady(*found, sizes, environment);
}

}  // namespace loom::document
