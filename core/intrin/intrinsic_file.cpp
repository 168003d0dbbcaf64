#include "core/intrin/intrinsic_file.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <utility>

#include "core/script/lexer.h"

namespace loom::intrin {
namespace {

using script::SourceText;
using script::Token;
using script::TokenKind;
using Values = std::map<std::string, std::string, std::less<>>;  // parameter → text of its value
using Table = std::vector<std::pair<std::string, Values>>;       // name → parameters

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
  Reader(SourceText source, const std::vector<Token>& tokens) : source_(source), tokens_(tokens) {}

  Result<IntrinsicFile> read() {
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
  struct Span {
    std::size_t begin = 0, end = 0;  // tokens
  };

  // A table of names with the forms that hold for it.
  struct Rows {
    Table rows, forms;
  };

  // Begins another table, or other forms: what was read is finished, unless its functions are yet to come, which are
  // then those of the next table, too.
  Result<void> endTable(const Token& at) {
    if (rows_.empty()) return {};
    if (description_.end || implementation_.end) return finishTable(at);
    waiting_.push_back({std::exchange(rows_, {}), forms_});
    return {};
  }

  // The members of the tables and the two functions that were read last. `at` is where they end.
  Result<void> finishTable(const Token& at) {
    if (!group_) return error(at, message("expected EXECUTION = \"warp\" or another group"));
    if (!description_.end) return error(at, message("expected a function `desc`"));
    if (!implementation_.end) return error(at, message("expected a function `impl`"));
    if (rows_.empty()) return error(at, message("expected INTRINSICS = {{\"name\": {{…}}}}"));
    waiting_.push_back({std::exchange(rows_, {}), forms_});
    for (Rows& table : std::exchange(waiting_, {})) addMembers(std::move(table));
    description_ = implementation_ = {};
    return {};
  }

  void addMembers(Rows table) {
    if (table.forms.empty()) table.forms.emplace_back();
    for (const auto& [name, values] : table.rows) {
      Values own = values;
      own.insert(common_.begin(), common_.end());  // a row's own value stays
      for (const auto& [suffix, form] : table.forms) {
        Values all = own;
        for (const auto& [parameter, value] : form) all.insert_or_assign(parameter, expand(value, own));
        for (const auto& [parameter, value] : values)
          if (!form.empty() && !form.contains(parameter)) all.insert_or_assign(parameter, expand(value, all));
        const Values& first = table.forms.front().second;
        const bool isVariant = &form != &first && differInNumbers(form, first);
        file_.members.push_back(
            {nameOf(name, suffix), expand(description_, all), expand(implementation_, all), isVariant});
      }
    }
  }

  // The form's key ends the name, or stands in place of its star.
  static std::string nameOf(std::string name, const std::string& form) {
    const std::size_t star = name.find('*');
    return star == std::string::npos ? name + form : name.replace(star, 1, form);
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
      return readTable(rows_);
    }
    if (name.is("FORMS")) {
      if (auto ok = endTable(name); !ok) return ok;
      forms_.clear();
      return readTable(forms_);
    }
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
    Span span{at_, at_};
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
    if (name.is("desc")) {
      description_ = span;
    } else if (name.is("impl")) {
      implementation_ = span;
    } else {
      return error(name, message("expected the function `desc` or `impl`"));
    }
    return {};
  }

  // A form's value with a row's values for the parameters that it names, or a row's with a form's.
  static std::string expand(std::string_view text, const Values& values) {
    constexpr auto isName = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
      std::size_t end = at;
      while (end < text.size() && isName(text[end])) ++end;
      const auto value = values.find(text.substr(at, end - at));
      const bool replaced = end > at && (at == 0 || text[at - 1] != '.') && value != values.end();
      end = std::max(end, at + 1);
      out += replaced ? std::string_view(value->second) : text.substr(at, end - at);
      at = end;
    }
    return out;
  }
  std::string expand(Span span, const Values& values) const {
    std::string out = "from tvm.script import tir as T";
    int line = tokens_[span.begin].line;
    out.append(static_cast<std::size_t>(std::max(line - 1, 1)), '\n');
    const char* copied = tokens_[span.begin].text.data();
    for (std::size_t i = span.begin; i < span.end; ++i) {
      const Token& token = tokens_[i];
      if (token.kind != TokenKind::Name || (i > 0 && tokens_[i - 1].is(".")) || tokens_[i + 1].is("=")) continue;
      auto value = values.find(token.text);
      if (value == values.end()) continue;
      out.append(copied, token.text.data());
      out += value->second;
      copied = token.text.data() + token.text.size();
    }
    // The last token with a text ends the function.
    std::size_t last = span.end;
    while (tokens_[last].text.empty() || tokens_[last].kind == TokenKind::Newline) --last;
    out.append(copied, tokens_[last].text.data() + tokens_[last].text.size());
    return out + "\n";
  }

  SourceText source_;
  const std::vector<Token>& tokens_;
  std::size_t at_ = 0;
  std::optional<ExecutionGroup> group_;
  Values common_;
  Table rows_;
  Table forms_;                // those of the tables to come, too, until others are said
  std::vector<Rows> waiting_;  // for the functions that follow
  Span description_, implementation_;
  IntrinsicFile file_;
};

}  // namespace

Result<IntrinsicFile> readIntrinsicFile(std::string_view text, std::string_view file) {
  SourceText source{text, file};
  auto tokens = tokenize(source);
  if (!tokens) return tl::unexpected(tokens.error());
  return Reader(source, *tokens).read();
}

}  // namespace loom::intrin
