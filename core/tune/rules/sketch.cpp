#include "core/tune/rules/sketch.h"

#include <cctype>
#include <unordered_map>

#include "core/tune/rules/expression.h"

namespace loom::tune {

namespace {

// The values of an assignment by the names of their decisions.
class Values {
 public:
  static Result<Values> of(const Space& space, const Assignment& assignment) {
    if (assignment.size() != space.decisions.size()) {
      return fail("SketchError",
                  message("{} values were given for {} decisions", assignment.size(), space.decisions.size()),
                  Forbids::Input);
    }
    Values values;
    for (std::size_t d = 0; d < assignment.size(); ++d) values.byName_[space.decisions[d].name] = assignment[d];
    return values;
  }

  Result<std::int64_t> of(std::string_view expression) const {
    return evaluated(expression, [&](std::string_view name) -> std::optional<std::int64_t> {
      const auto found = byName_.find(std::string(name));
      return found == byName_.end() ? std::nullopt : std::optional(found->second);
    });
  }

 private:
  std::unordered_map<std::string, std::int64_t> byName_;
};

Result<std::string> filled(const std::string& line, const Values& values) {
  std::string out;
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] != '?') {
      out += line[at++];
      continue;
    }
    std::size_t begin = ++at, end = 0;
    if (begin < line.size() && line[begin] == '{') {
      end = line.find('}', ++begin);
      if (end == std::string::npos)
        return fail("SketchError", message("\"{}\" begins an expression that does not end", line), Forbids::Input);
      at = end + 1;
    } else {
      end = begin;
      if (end < line.size() && std::isalpha(static_cast<unsigned char>(line[end])))
        while (end < line.size() && isOfName(line[end])) ++end;
      if (end == begin)
        return fail("SketchError", message("\"{}\" has a ? with neither a name nor an expression behind it", line),
                    Forbids::Input);
      at = end;
    }
    const auto value = values.of(std::string_view(line).substr(begin, end - begin));
    if (!value) return Failure(value.error());
    out += std::to_string(*value);
  }
  return out;
}

// The lines from `first` on.
Result<std::string> written(const Sketch& sketch, const Values& values, std::size_t first, std::size_t count) {
  std::string text;
  for (std::size_t at = first; at < first + count && at < sketch.lines.size(); ++at) {
    const SketchLine& line = sketch.lines[at];
    if (!line.when.empty()) {
      const auto stays = values.of(line.when);
      if (!stays) return Failure(stays.error());
      if (*stays == 0) continue;
    }
    auto one = filled(line.text, values);
    if (!one) return Failure(one.error());
    text += *one + "\n";
  }
  return text;
}

}  // namespace

Result<std::string> linesOf(const Sketch& sketch, const Assignment& assignment) {
  const auto values = Values::of(sketch.space, assignment);
  if (!values) return Failure(values.error());
  return written(sketch, *values, 0, sketch.lines.size());
}

Result<std::vector<std::string>> linesOfFolds(const Sketch& sketch, const Assignment& assignment) {
  const auto values = Values::of(sketch.space, assignment);
  if (!values) return Failure(values.error());
  std::vector<std::string> texts;
  for (const SketchFold& fold : sketch.folds) {
    auto text = written(sketch, *values, std::size_t(fold.first), std::size_t(fold.lines));
    if (!text) return Failure(text.error());
    texts.push_back(std::move(*text));
  }
  return texts;
}

Result<std::int64_t> quantityOf(const Sketch& sketch, const std::string& name, const Assignment& assignment) {
  for (const Quantity& quantity : sketch.quantities) {
    if (quantity.name != name) continue;
    const auto values = Values::of(sketch.space, assignment);
    if (!values) return Failure(values.error());
    return values->of(quantity.formula);
  }
  return 0;
}

}  // namespace loom::tune
