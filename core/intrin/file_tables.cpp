#include "core/intrin/file_tables.h"

#include <algorithm>

namespace loom::intrin {
namespace {

using script::SourceText;
using script::Token;
using script::TokenKind;

// A positive whole number of at most six digits: one such is as good as another to whoever parses a text.
bool isNumber(std::string_view text) {
  constexpr auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && text.size() <= 6 && text.front() != '0' && std::ranges::all_of(text, isDigit);
}

// Whether two forms give the same parameters the same values, or other numbers.
bool differInNumbers(const Values& a, const Values& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) {
    return x.first == y.first && (x.second == y.second || (isNumber(x.second) && isNumber(y.second)));
  });
}

std::optional<ExecutionGroup> parseGroup(std::string_view name) {
  if (name == "thread") return ExecutionGroup::Thread;
  if (name == "warp") return ExecutionGroup::Warp;
  if (name == "warpgroup") return ExecutionGroup::Warpgroup;
  if (name == "block") return ExecutionGroup::Block;
  if (name == "cluster") return ExecutionGroup::Cluster;
  return std::nullopt;
}

class Reader {
 public:
  explicit Reader(std::shared_ptr<const FileText> text)
      : source_{text->text, text->name}, tokens_(text->tokens), forms_(1) {
    file_.text = std::move(text);
  }

  Result<FileTables> read() {
    while (now().kind != TokenKind::End) {
      if (now().kind == TokenKind::Newline) {
        ++at_;
        continue;
      }
      if (auto ok = readTopLevel(); !ok) return tl::unexpected(ok.error());
    }
    if (auto ok = finishTable(now()); !ok) return tl::unexpected(ok.error());
    file_.group = *group_;
    return std::move(file_);
  }

 private:
  bool hasFunctions() const { return section_.description.end || section_.implementation.end || section_.from; }

  // Begins another table, or other forms: what was read is finished, unless its functions are yet to come, which are
  // then those of the next table, too.
  Result<void> endTable(const Token& at) {
    if (rows_.empty()) return {};
    if (hasFunctions()) return finishTable(at);
    section_.tables.push_back({std::exchange(rows_, {}), forms_});
    return {};
  }

  // The tables and the two functions that were read last. `at` is where they end.
  Result<void> finishTable(const Token& at) {
    if (!group_) return error(at, message("expected EXECUTION = \"warp\" or another group"));
    if (section_.from && (section_.description.end || section_.implementation.end))
      return error(at, message("TEMPLATE takes the place of `desc` and `impl`: a table has either"));
    if (!section_.from && !section_.description.end) return error(at, message("expected a function `desc`"));
    if (!section_.from && !section_.implementation.end) return error(at, message("expected a function `impl`"));
    if (rows_.empty()) return error(at, message("expected INTRINSICS = {{\"name\": {{…}}}}"));
    section_.tables.push_back({std::exchange(rows_, {}), forms_});
    section_.common = common_;
    file_.sections.push_back(std::exchange(section_, {}));
    return {};
  }

  // A table of forms. Right after another one it makes each of that one's in each of its own.
  Result<void> readForms() {
    Table table;
    if (auto ok = readTable(table); !ok) return ok;
    const std::vector<Form> before = std::exchange(forms_, {});
    for (const Form& one : followsForms_ ? before : std::vector<Form>(1)) {
      for (const auto& [key, values] : table) {
        Form form = one;
        form.parts.emplace_back(key, values);
        form.isVariant = std::ranges::any_of(forms_, [&](const Form& earlier) {
          return std::ranges::equal(form.parts, earlier.parts,
                                    [](const auto& x, const auto& y) { return differInNumbers(x.second, y.second); });
        });
        forms_.push_back(std::move(form));
      }
    }
    followsForms_ = !table.empty();
    if (forms_.empty()) forms_.resize(1);
    return {};
  }

  // The file and the row by which a table is named, whose functions are these tables', too.
  Result<void> readTemplate() {
    TemplateName from;
    from.token = at_;
    auto file = expectString();
    if (!file) return tl::unexpected(file.error());
    if (auto ok = expect(","); !ok) return ok;
    auto row = expectString();
    if (!row) return tl::unexpected(row.error());
    from.file = std::move(*file), from.row = std::move(*row);
    if (section_.from) return second(tokens_[from.token], "TEMPLATE");
    section_.from = std::move(from);
    return {};
  }

  const Token& now() const { return tokens_[at_]; }
  Failure error(const Token& token, Message message) const {
    return source_.error(token.line, token.column, std::move(message));
  }
  Result<void> expect(std::string_view text) {
    if (!now().is(text)) return error(now(), message("expected {}", text));
    ++at_;
    return {};
  }
  Result<std::string> expectString() {
    if (now().kind != TokenKind::String) return error(now(), message("expected a string"));
    return stringValue(source_, tokens_[at_++]);
  }
  void skipLine() {
    while (now().kind != TokenKind::Newline && now().kind != TokenKind::End) ++at_;
  }

  Result<void> readTopLevel() {
    if (now().is("from") || now().is("import")) {
      skipLine();
      return {};
    }
    if (now().is("@")) return readFunction();
    if (now().kind != TokenKind::Name)
      return error(now(), message("expected a name, an import or a decorated function"));
    const Token& name = now();
    ++at_;
    if (auto ok = expect("="); !ok) return ok;
    if (name.is("EXECUTION")) {
      const Token& value = now();
      auto text = expectString();
      if (!text) return tl::unexpected(text.error());
      group_ = parseGroup(*text);
      if (!group_)
        return error(value, message("expected \"thread\", \"warp\", \"warpgroup\", \"block\" or \"cluster\""));
      return {};
    }
    if (name.is("INTRINSICS")) {
      if (auto ok = endTable(name); !ok) return ok;
      followsForms_ = false;
      return readTable(rows_);
    }
    if (name.is("FORMS")) {
      if (auto ok = endTable(name); !ok) return ok;
      return readForms();
    }
    if (name.is("TEMPLATE")) return readTemplate();
    auto value = readValue();
    if (!value) return tl::unexpected(value.error());
    common_.insert_or_assign(std::string(name.text), *value);
    return {};
  }

  // Text up to the comma, closing bracket or line end that belongs to the surrounding expression.
  Result<std::string> readValue() {
    const Token& first = now();
    int depth = 0;
    std::size_t last = at_;
    for (; now().kind != TokenKind::Newline && now().kind != TokenKind::End; ++at_) {
      if (now().is("(") || now().is("[") || now().is("{")) ++depth;
      if (now().is(")") || now().is("]") || now().is("}")) --depth;
      if (depth < 0 || (depth == 0 && now().is(","))) break;
      last = at_;
    }
    if (at_ == static_cast<std::size_t>(&first - tokens_.data())) return error(first, message("expected a value"));
    const char* end = tokens_[last].text.data() + tokens_[last].text.size();
    return std::string(first.text.data(), end);
  }

  Result<void> readTable(Table& rows) {
    if (auto ok = expect("{"); !ok) return ok;
    while (!now().is("}")) {
      auto name = expectString();
      if (!name) return tl::unexpected(name.error());
      if (auto ok = expect(":"); !ok) return ok;
      if (auto ok = expect("{"); !ok) return ok;
      Values values;
      while (!now().is("}")) {
        auto parameter = expectString();
        if (!parameter) return tl::unexpected(parameter.error());
        if (auto ok = expect(":"); !ok) return ok;
        auto value = readValue();
        if (!value) return tl::unexpected(value.error());
        values.insert_or_assign(*parameter, *value);
        if (now().is(",")) ++at_;
      }
      ++at_;
      rows.emplace_back(*name, std::move(values));
      if (!now().is("}"))
        if (auto ok = expect(","); !ok) return ok;
    }
    ++at_;
    return {};
  }

  // A decorator, `def NAME(…):` and the indented body.
  Result<void> readFunction() {
    TokenSpan span{at_, at_};
    skipLine();
    ++at_;
    if (auto ok = expect("def"); !ok) return ok;
    const Token& name = now();
    int depth = 0;
    for (; now().kind != TokenKind::End; ++at_) {
      if (now().kind == TokenKind::Indent) ++depth;
      if (now().kind == TokenKind::Dedent && --depth == 0) break;
    }
    if (now().kind != TokenKind::Dedent) return error(name, message("expected the function's body"));
    span.end = at_++;
    if (!name.is("desc") && !name.is("impl")) return error(name, message("expected the function `desc` or `impl`"));
    TokenSpan& function = name.is("desc") ? section_.description : section_.implementation;
    if (function.end) return second(name, fmt::format("`{}`", name.text));
    function = span;
    return {};
  }

  Failure second(const Token& at, const std::string& what) const {
    return error(at, message("a second {} for the same tables of intrinsics", what));
  }

  SourceText source_;
  const std::vector<Token>& tokens_;
  std::size_t at_ = 0;
  std::optional<ExecutionGroup> group_;
  Values common_;
  Table rows_;
  std::vector<Form> forms_;    // those of the tables to come, too, until others are said
  bool followsForms_ = false;  // and no table of intrinsics since
  Section section_;            // for whose functions is waited
  FileTables file_;
};

}  // namespace

Failure FileText::error(std::size_t token, Message message) const {
  return SourceText{text, name}.error(tokens[token].line, tokens[token].column, std::move(message));
}

bool Section::hasRow(std::string_view name) const {
  return std::ranges::any_of(tables, [&](const FormedTable& table) {
    return std::ranges::any_of(table.rows, [&](const auto& row) { return row.first == name; });
  });
}

Result<FileTables> readTables(std::string_view text, std::string_view name) {
  auto file = std::make_shared<FileText>(FileText{std::string(text), std::string(name), {}});
  auto tokens = tokenize(SourceText{file->text, file->name});
  if (!tokens) return tl::unexpected(tokens.error());
  file->tokens = std::move(*tokens);
  return Reader(std::move(file)).read();
}

}  // namespace loom::intrin
