#include "core/intrin/intrinsic_file.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "core/intrin/file_tables.h"

namespace loom::intrin {
namespace {

using script::Token;
using script::TokenKind;

// Calls `visit` with each word of a value that may name a parameter, and where it begins: with none that stands after a
// dot.
template <class Visit>
void forEachName(std::string_view text, const Visit& visit) {
  constexpr auto isName = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && isName(text[end])) ++end;
    const bool isWord = end > at && std::isdigit(static_cast<unsigned char>(text[at])) == 0;
    if (isWord && (at == 0 || text[at - 1] != '.')) visit(text.substr(at, end - at), at);
    at = std::max(end, at + 1);
  }
}

// A value with those of the parameters that it names; nothing if it names none, as most.
std::optional<std::string> expanded(std::string_view text, const Values& values) {
  std::string out;
  std::size_t copied = 0;
  forEachName(text, [&](std::string_view word, std::size_t at) {
    const auto value = values.find(word);
    if (value == values.end() || value->second == value->first) return;
    out += text.substr(copied, at - copied);
    out += value->second;
    copied = at + word.size();
  });
  if (copied == 0) return std::nullopt;
  return out += text.substr(copied);
}

// Values of a file whose functions are taken, and of files on the way to it, are common to those that take them.
Result<TableFunctions> functionsOf(const FileTables& tables, const Section& section, const TablesOf& others) {
  TableFunctions made{tables.text, section.description, section.implementation, section.common};
  std::vector<std::pair<std::string, std::string>> passed;
  for (std::optional<TemplateName> from = section.from; from;) {
    const auto refuse = [&](Message message) { return made.file->error(from->token, std::move(message)); };
    std::pair<std::string, std::string> name{from->file, from->row};
    if (std::ranges::find(passed, name) != passed.end())
      return refuse(message("the functions of {} in {} are taken from themselves", from->row, from->file));
    passed.push_back(std::move(name));
    const FileTables* other = &tables;
    if (from->file != tables.text->name) {
      const Result<FileTables>* read = others(from->file);
      if (read == nullptr) return refuse(message("there is no file of intrinsics {} beside this one", from->file));
      if (!*read) return tl::unexpected(read->error());
      other = &**read;
    }
    const auto found = std::ranges::find_if(other->sections, [&](const Section& s) { return s.hasRow(from->row); });
    if (found == other->sections.end())
      return refuse(message("{} has no row {} in its tables of intrinsics", from->file, from->row));
    made.file = other->text;
    made.description = found->description, made.implementation = found->implementation;
    made.common.insert(found->common.begin(), found->common.end());  // own values stay
    from = found->from;
  }
  return made;
}

// Each key takes the place of a star, or ends the name where there is none.
std::string nameOf(std::string name, const Form& form) {
  for (const auto& [key, values] : form.parts) {
    const std::size_t star = name.find('*');
    star == std::string::npos ? name += key : name.replace(star, 1, key);
  }
  return name;
}

// The values of a row in a form, with those of the parameters that they name put in place; nothing if they name each
// other in a circle. What a form names is as it was before the form.
std::optional<Values> valuesOf(const Values& row, const Form& form, const Values& common) {
  Values all = row;
  all.insert(common.begin(), common.end());  // a row's own value stays
  std::vector<std::pair<std::string_view, std::string>> changed;
  for (const auto& [key, values] : form.parts) {
    for (const auto& [parameter, value] : values) changed.emplace_back(parameter, expanded(value, all).value_or(value));
    for (auto& [parameter, value] : changed) all.insert_or_assign(std::string(parameter), std::move(value));
    changed.clear();
  }
  constexpr int kDeepest = 8;
  constexpr std::size_t kLongest = 1 << 16;  // of a value that isn't in a circle: "K": K + K grows by squares
  for (int depth = 0; depth < kDeepest; ++depth) {
    for (const auto& [parameter, value] : all)
      if (auto made = expanded(value, all)) changed.emplace_back(parameter, std::move(*made));
    if (changed.empty()) return all;
    for (auto& [parameter, value] : changed) {
      if (value.size() > kLongest) return std::nullopt;
      all.find(parameter)->second = std::move(value);
    }
    changed.clear();
  }
  return std::nullopt;
}

}  // namespace

Result<void> IntrinsicText::check() const {
  if (valuesOf(*row, *form, functions->common)) return {};
  return functions->file->error(functions->description.begin,
                                message("values of {} name each other in a circle", name));
}

std::string IntrinsicText::textOf(TokenSpan function) const {
  const Values values = valuesOf(*row, *form, functions->common).value_or(Values{});
  const std::vector<Token>& tokens = functions->file->tokens;
  std::string out = "from tvm.script import tir as T";
  int line = tokens[function.begin].line;
  out.append(static_cast<std::size_t>(std::max(line - 1, 1)), '\n');
  const char* copied = tokens[function.begin].text.data();
  for (std::size_t i = function.begin; i < function.end; ++i) {
    const Token& token = tokens[i];
    if (token.kind != TokenKind::Name || (i > 0 && tokens[i - 1].is(".")) || tokens[i + 1].is("=")) continue;
    auto value = values.find(token.text);
    if (value == values.end()) continue;
    out.append(copied, token.text.data());
    out += value->second;
    copied = token.text.data() + token.text.size();
  }
  // The last token with a text ends the function.
  std::size_t last = function.end;
  while (tokens[last].text.empty() || tokens[last].kind == TokenKind::Newline) --last;
  out.append(copied, tokens[last].text.data() + tokens[last].text.size());
  return out + "\n";
}

Result<IntrinsicFile> readIntrinsicFile(const FileTables& tables, const TablesOf& others) {
  IntrinsicFile made;
  made.group = tables.group;
  for (const Section& section : tables.sections) {
    auto found = functionsOf(tables, section, others);
    if (!found) return tl::unexpected(found.error());
    const auto functions = std::make_shared<const TableFunctions>(std::move(*found));
    for (const auto& [rows, forms] : section.tables) {
      std::vector<std::shared_ptr<const Form>> kept;
      for (const Form& form : forms) kept.push_back(std::make_shared<const Form>(form));
      for (const auto& [name, values] : rows) {
        const auto row = std::make_shared<const Values>(values);
        for (const auto& form : kept)
          made.members.push_back({nameOf(name, *form), functions, row, form, form->isVariant});
      }
    }
  }
  return made;
}

}  // namespace loom::intrin
