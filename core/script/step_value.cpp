// Values of step lines: equality, printing, construction.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "core/script/literal.h"
#include "core/script/step_line.h"

namespace loom::script {

namespace {

using Kind = StepValue::Kind;

std::string number(double value) {
  if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value < 0 ? "-1e999" : "1e999";
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  std::string s = text;
  if (s.find_first_of(".e") == std::string::npos) s += ".0";
  return s;
}

// How tightly an operator binds, as in Python: 0 for `|`, 4 for a sum, 6 for what never needs parentheses.
constexpr int kTightest = 6;
int tightness(const StepValue& v) {
  if (!v.is(Kind::Binary)) return kTightest;
  constexpr std::string_view kLooser[] = {"|", "^", "&"};
  for (int i = 0; i < 3; ++i)
    if (v.text == kLooser[i]) return i;
  if (v.text == "<<" || v.text == ">>") return 3;
  return v.text == "+" || v.text == "-" ? 4 : 5;
}

std::string operand(const StepValue& v, int around, bool right) {
  const int own = tightness(v);
  bool wrap = own < around || (right && own == around && around < kTightest) || v.is(Kind::Lambda);
  return wrap ? "(" + printValue(v) + ")" : printValue(v);
}

std::string joined(const std::vector<StepValue>& items) {
  std::string out;
  for (const StepValue& item : items) out += (out.empty() ? "" : ", ") + printValue(item);
  return out;
}

std::string lambda(const StepValue& v) {
  std::string out = "lambda";
  for (const std::string& p : v.parameters) out += (out.size() == 6 ? " " : ", ") + p;
  const StepValue& body = v.items[0];
  // As TVM prints index maps: a tuple with a comma at the end.
  if (body.is(Kind::Tuple) && !body.items.empty()) return out + ": (" + joined(body.items) + ",)";
  return out + ": " + printValue(body);
}

StepValue of(Kind kind) {
  StepValue v;
  v.kind = kind;
  return v;
}

}  // namespace

bool operator==(const StepValue& a, const StepValue& b) {
  bool sameReal = a.real == b.real || (std::isnan(a.real) && std::isnan(b.real));
  return a.kind == b.kind && a.integer == b.integer && sameReal && a.text == b.text && a.items == b.items &&
         a.keywords == b.keywords && a.parameters == b.parameters;
}

std::string printValue(const StepValue& v) {
  switch (v.kind) {
    case Kind::None: return "None";
    case Kind::Bool: return v.integer ? "True" : "False";
    case Kind::Int: return std::to_string(v.integer);
    case Kind::Float: return number(v.real);
    case Kind::String: return stringLiteral(v.text);
    case Kind::Name: return v.text;
    case Kind::Typed: return "T." + v.text + "(" + printValue(v.items[0]) + ")";
    case Kind::List: return "[" + joined(v.items) + "]";
    case Kind::Tuple: return "(" + joined(v.items) + (v.items.size() == 1 ? ",)" : ")");
    case Kind::Dict: {
      std::string out = "{";
      for (std::size_t i = 0; i + 1 < v.items.size(); i += 2) {
        out += (i ? ", " : "") + printValue(v.items[i]) + ": " + printValue(v.items[i + 1]);
      }
      return out + "}";
    }
    case Kind::Star: return "*" + printValue(v.items[0]);
    case Kind::Call: {
      std::string out = "sch." + v.text + "(" + joined(v.items);
      bool first = v.items.empty();
      for (const StepKeyword& k : v.keywords) {
        out += (first ? "" : ", ") + k.name + "=" + printValue(k.value);
        first = false;
      }
      return out + ")";
    }
    case Kind::Index: return printValue(v.items[0]) + "[" + printValue(v.items[1]) + "]";
    case Kind::Slice: {
      auto part = [&](std::size_t i) { return v.items[i].is(Kind::None) ? std::string() : printValue(v.items[i]); };
      std::string out = printValue(v.items[0]) + "[" + part(1) + ":" + part(2);
      return out + (v.items[3].is(Kind::None) ? "]" : ":" + part(3) + "]");
    }
    case Kind::Lambda: return lambda(v);
    case Kind::Binary: {
      int around = tightness(v);
      return operand(v.items[0], around, false) + " " + v.text + " " + operand(v.items[1], around, true);
    }
    case Kind::Negate: return "-" + operand(v.items[0], kTightest, true);
  }
  return "";
}

StepValue stepNone() { return of(Kind::None); }

StepValue stepBool(bool value) {
  StepValue v = of(Kind::Bool);
  v.integer = value;
  return v;
}

StepValue stepInt(std::int64_t value) {
  StepValue v = of(Kind::Int);
  v.integer = value;
  return v;
}

StepValue stepFloat(double value) {
  StepValue v = of(Kind::Float);
  v.real = value;
  return v;
}

StepValue stepString(std::string value) {
  StepValue v = of(Kind::String);
  v.text = std::move(value);
  return v;
}

StepValue stepName(std::string name) {
  StepValue v = of(Kind::Name);
  v.text = std::move(name);
  return v;
}

StepValue stepList(std::vector<StepValue> items) {
  StepValue v = of(Kind::List);
  v.items = std::move(items);
  return v;
}

StepValue stepTuple(std::vector<StepValue> items) {
  StepValue v = of(Kind::Tuple);
  v.items = std::move(items);
  return v;
}

}  // namespace loom::script
