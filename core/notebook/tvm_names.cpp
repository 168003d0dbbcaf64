// What scripts import and call of TVM.

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>

#include "core/notebook/interpreter.h"

namespace loom::notebook {
namespace {

using script::NodeKind;

// tvm.tir.tensor_intrin's constants are named after the intrinsics: WMMA_LOAD_16x16x16_F16_A_TRANS_DYN_INTRIN is
// "wmma_load_16x16x16_f16_a_trans_shared_dyn".
std::optional<std::string> intrinsicConstant(const std::string& constant) {
  constexpr std::string_view kEnd = "_INTRIN";
  if (!constant.ends_with(kEnd)) return std::nullopt;
  std::string name = constant.substr(0, constant.size() - kEnd.size());
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  if (name == "dp4a" || name.starts_with("wmma_sync") || name.starts_with("wmma_fill")) return name;
  if (name.starts_with("wmma_store")) {
    return name.ends_with("_dyn") ? name.substr(0, name.size() - 4) + "_shared_dyn" : name;
  }
  if (!name.starts_with("wmma_load")) return std::nullopt;
  if (name.ends_with("_dyn")) return name.substr(0, name.size() - 4) + "_shared_dyn";
  return name + "_shared";
}

// Modules that scripts compute and measure with around a schedule. Others could do anything.
bool isPassedOver(std::string_view module) {
  constexpr std::string_view kKnown[] = {
      "numpy",     "torch",     "scipy",      "time",        "timeit",      "math",      "typing",   "__future__",
      "pytest",    "random",    "matplotlib", "IPython",     "warnings",    "logging",   "tqdm",     "pandas",
      "functools", "itertools", "enum",       "collections", "dataclasses", "ml_dtypes", "tabulate", "cupy",
      "argparse",  "sys",       "json",       "copy",        "pathlib",     "datetime",  "operator", "contextlib",
      "gc",        "re",        "unittest",   "statistics",  "pprint",      "csv",       "seaborn",  "transformers"};
  return std::find(std::begin(kKnown), std::end(kKnown), module) != std::end(kKnown);
}

bool endsWith(const std::string& path, std::string_view last) {
  return path.ends_with(last) && (path.size() == last.size() || path[path.size() - last.size() - 1] == '.');
}

}  // namespace

void Interpreter::import(const Statement& s) {
  for (const auto& i : s.imports) {
    const std::string path = i.name.empty() ? i.module : i.module + "." + i.name;
    const bool isTvm = path == "tvm" || path.starts_with("tvm.");
    const std::string root = path.substr(0, path.find('.'));
    if (!isTvm && !isPassedOver(root)) {
      raise(s.line, s.column, "ImportError",
            message("only TVM's names are imported here, and modules that compute or measure beside the schedule, "
                    "such as numpy; not {}",
                    root));
    }
    if (i.name == "*") continue;
    // `import a.b` makes the name a.
    const std::string name = i.name.empty() && i.alias == i.module ? root : i.alias;
    if (root == "math") {
      set(name, {Foreign{i.name.empty() ? "math" : path}});
      continue;
    }
    if (!isTvm) {
      if (root != "__future__") set(name, opaque(verbatim(root)));
      continue;
    }
    if (auto constant = intrinsicConstant(i.name)) {
      set(name, {*constant});
      continue;
    }
    set(name, {Foreign{i.name.empty() && i.alias == i.module ? root : path}});
  }
}

Value Interpreter::foreignAttribute(const std::string& path, const std::string& name) {
  if (auto constant = intrinsicConstant(name); constant && path.find("tensor_intrin") != std::string::npos) {
    return {*constant};
  }
  return {Foreign{path + "." + name}};
}

const ir::Module& Interpreter::moduleOf(ScriptedModule& p) {
  if (!p.module) {
    std::vector<script::RelaxFunction> relax;
    auto module = script::readDefinition(source_, *p.definition, p.around, relax);
    if (!module) throw Raised{module.error()};
    if (module->functions.empty()) {
      raise(p.definition->line, p.definition->column, "ParseError", message("the module has no function"));
    }
    for (const script::RelaxFunction& f : relax) passed_.add(message("the Relax function {}", f.name), f.line, 0);
    p.module = std::move(*module);
  }
  return *p.module;
}

// The program in a value: itself, or the one of `tvm.IRModule({"main": f})`.
std::shared_ptr<ScriptedModule> Interpreter::programIn(const Value& v) {
  if (auto* p = v.get<std::shared_ptr<ScriptedModule>>()) return *p;
  if (auto* d = v.dictionary(); d && d->items.size() == 1) return programIn(d->items.front().second);
  return nullptr;
}

std::shared_ptr<Schedule> Interpreter::unseededSchedule(CallArguments& given, const Node& at) {
  const Value* mod = given.find(0, "mod");
  auto made = std::make_shared<Schedule>(Schedule{int(read_.runs.size()), schedule::State(), 0, {}});
  if (mod && mod->get<ScheduledModule>()) {
    const auto& from = *mod->get<ScheduledModule>()->schedule;
    made->state = from.state;
    made->step = from.step;
    read_.runs.push_back({from.run, read_.runs[std::size_t(from.run)].lines.size(), {}});
    runPrograms_.push_back(runPrograms_[std::size_t(from.run)]);
    schedules_.push_back(made);
    return made;
  }
  std::shared_ptr<ScriptedModule> p = mod ? programIn(*mod) : nullptr;
  if (!mod) {
    auto last = std::find_if(programs_.rbegin(), programs_.rend(), [](const auto& each) { return !each->used; });
    if (last != programs_.rend()) p = *last;
  }
  if (!p && mod && isGiven_) {  // the script makes its schedule of what is open
    return schedules_.front();
  }
  if (!p && mod) mustKnow(*mod, at, message("what is scheduled"));
  if (!p) raise(at, "TypeError", message("expected a function or module in TVMScript that stands in this text"));
  auto state = schedule::State::create(moduleOf(*p));
  if (!state) {
    Error error = state.error();
    error.place = source_.place(p->definition->line, p->definition->column);
    throw Raised{std::move(error)};
  }
  made->state = std::move(*state);
  read_.runs.push_back({});
  runPrograms_.push_back(p);
  schedules_.push_back(made);
  return made;
}

// tir.Schedule(mod, seed=42) is sch.seed(42) in step lines.
Value Interpreter::makeSchedule(CallArguments& given, const Node& at) {
  auto made = unseededSchedule(given, at);
  constexpr std::size_t kNowhere = std::size_t(-1);  // by its name only
  const Value* seed = given.find(kNowhere, "seed");
  if (!seed || seed->isNone()) return {made};
  mustKnow(*seed, at, message("the seed"));
  const auto number = seed->integer();
  if (!number) raise(at, "TypeError", message("the seed of a schedule is a whole number"));
  constexpr std::int64_t kMost = 2147483647;
  if (*number < 1 || *number > kMost)
    raise(at, "ValueError", message("{} = {} is not between {} and {}", "seed", *number, 1, kMost));
  script::StepCall line;
  line.value.kind = script::StepValue::Kind::Call;
  line.value.text = "seed";
  line.value.items = {script::stepInt(*number)};
  line.place = source_.place(at.line, at.column);
  emit(*made, std::move(line));
  return {made};
}

Value Interpreter::registerIntrinsic(CallArguments& given, const Node& at) {
  const Value* name = given.find(0, "name");
  const Value *desc = given.find(1, "desc"), *impl = given.find(2, "impl"), *over = given.find(3, "override");
  auto* text = name ? name->get<std::string>() : nullptr;
  const auto description = desc ? programIn(*desc) : nullptr, implementation = impl ? programIn(*impl) : nullptr;
  if (!text || !description || !implementation) {
    raise(at, "TypeError", message("expected TensorIntrin.register(name, desc, impl) with two functions of this text"));
  }
  const bool replaces = over && truth(*over, at);
  if (library_.find(*text) && !replaces) {
    raise(at, "ValueError", message("the tensor intrinsic \"{}\" is there already; override=True replaces it", *text));
  }
  description->used = implementation->used = true;
  RegisteredIntrinsic made{*text, moduleOf(*description).functions.front(),
                           moduleOf(*implementation).functions.front()};
  std::erase_if(read_.intrinsics, [&](const auto& other) { return other.name == made.name; });
  read_.intrinsics.push_back(std::move(made));
  auto library = libraryWith(given_, read_.intrinsics);
  if (!library) {
    read_.intrinsics.pop_back();
    raise(at, library.error().code, library.error().message);
  }
  library_ = std::move(*library);
  return {};
}

Value Interpreter::mathCall(const std::string& name, CallArguments& given, const Node& at) {
  refuseOthers("math", name, given, at);
  for (const Value& v : given.positional) {
    if (auto* o = opaquePart(v)) return opaque(o->what);
  }
  auto number = [&](std::size_t i) {
    auto d = i < given.positional.size() ? given.positional[i].number() : std::nullopt;
    if (!d) raise(at, "TypeError", message("math.{} takes numbers", name));
    return *d;
  };
  auto whole = [&](double d) {
    if (!(std::fabs(d) < 9.2e18)) raise(at, "OverflowError", message("the number does not fit in 64 bits"));
    return Value{std::int64_t(d)};
  };
  if (name == "ceil") return whole(std::ceil(number(0)));
  if (name == "floor" || name == "trunc") return whole(name == "floor" ? std::floor(number(0)) : std::trunc(number(0)));
  if (name == "sqrt" && number(0) >= 0) return {std::sqrt(number(0))};
  if (name == "isqrt" && number(0) >= 0) return whole(std::floor(std::sqrt(number(0))));
  if (name == "log2" && number(0) > 0) return {std::log2(number(0))};
  if (name == "pow") return {std::pow(number(0), number(1))};
  if (name == "gcd" && given.positional.size() == 2 && given.positional[0].integer() && given.positional[1].integer()) {
    return {std::gcd(*given.positional[0].integer(), *given.positional[1].integer())};
  }
  if (name == "prod" && !given.positional.empty()) {
    Value product{std::int64_t{1}};
    for (const Value& v : iterate(given.positional[0], at)) product = binary("*", product, v, at);
    return product;
  }
  raise(at, "AttributeError", message("math.{} isn't known here for these arguments", name));
}

Value Interpreter::callForeign(const std::string& path, CallArguments& given, const Node& at) {
  if (path.starts_with("math.")) return mathCall(path.substr(5), given, at);
  if (endsWith(path, "Schedule")) return makeSchedule(given, at);
  if (endsWith(path, "TensorIntrin.register")) return registerIntrinsic(given, at);
  if (endsWith(path, "IRModule") || endsWith(path, "IRModule.from_expr")) {
    const Value* v = given.find(0, "functions");
    if (auto p = v ? programIn(*v) : nullptr) return {p};
  }
  const std::string last = path.substr(path.rfind('.') + 1);
  const bool isScript = path.starts_with("tvm.script.tir.") || path.starts_with("tvm.script.tirx.");
  const bool isConstant = endsWith(path, "IntImm") || endsWith(path, "FloatImm");
  if (isConstant || endsWith(path, "tir.const") || (isScript && ir::DType::parse(last))) {
    const Value* number = given.find(isConstant ? 1 : 0, "value");
    const Value* dtype = given.find(isConstant ? 0 : 1, "dtype");
    script::StepValue typed;
    typed.kind = script::StepValue::Kind::Typed;
    typed.line = at.line;
    typed.column = at.column;
    typed.text = isScript && !isConstant              ? last
                 : dtype && dtype->get<std::string>() ? *dtype->get<std::string>()
                                                      : "int32";
    if (number && number->number()) {
      typed.items.push_back(written(*number, at));
      return {Symbol{std::move(typed)}};
    }
  }
  if (endsWith(path, "get_wmma_intrin_group")) {
    auto text = [&](std::size_t i, const char* name) {
      const Value* v = given.find(i, name);
      auto* s = v ? v->get<std::string>() : nullptr;
      if (!s) raise(at, "TypeError", message("get_wmma_intrin_group() needs the text '{}'", name));
      return *s;
    };
    auto shortType = [](const std::string& dtype) {
      return dtype.starts_with("float") ? "f" + dtype.substr(5)
             : dtype.starts_with("int") ? "s" + dtype.substr(3)
                                        : dtype;
    };
    auto scope = [](std::string s) {
      std::replace(s.begin(), s.end(), '.', '_');
      return s;
    };
    const std::string load = scope(text(0, "load_scope")), store = scope(text(1, "store_scope"));
    const std::string in = shortType(text(2, "in_dtype")), out = shortType(text(3, "out_dtype"));
    const Value* transposed = given.find(4, "trans_b");
    const std::string trans = transposed && truth(*transposed, at) ? "_trans" : "";
    const std::string tile = "16x16x16_";
    auto d = std::make_shared<Dictionary>();
    auto add = [&](const char* key, const std::string& name) {
      d->items.emplace_back(Value{std::string(key)}, Value{name});
    };
    add("init", "wmma_fill_" + tile + out);
    add("load_a", "wmma_load_" + tile + in + "_a_" + load);
    add("load_b", "wmma_load_" + tile + in + "_b" + trans + "_" + load);
    add("compute", "wmma_sync_" + tile + in + in + out + trans);
    add("store", "wmma_store_" + tile + out + "_" + store);
    return {d};
  }
  return opaque(verbatim(path));
}

void Interpreter::collectNames(const Node& n, std::set<std::string>& names) {
  if (n.is(NodeKind::Name)) names.insert(n.text);
  for (const auto& c : n.children) {
    if (c) collectNames(*c, names);
  }
  for (const auto& k : n.keywords) collectNames(*k.value, names);
  for (const auto& c : n.clauses) {
    collectNames(*c.iterable, names);
    for (const auto& condition : c.conditions) collectNames(*condition, names);
  }
}

void Interpreter::collectNames(const Statement& s, std::set<std::string>& names) {
  if (s.value) collectNames(*s.value, names);
  if (s.annotation) collectNames(*s.annotation, names);
  for (const auto& d : s.decorators) collectNames(*d, names);
  for (const auto& t : s.targets) collectNames(*t, names);
  for (const auto& p : s.parameters) {
    if (p.annotation) collectNames(*p.annotation, names);
  }
  for (const auto& item : s.items) collectNames(*item.context, names);
  for (const auto* list : {&s.body, &s.orelse, &s.last}) {
    for (const auto& inner : *list) collectNames(*inner, names);
  }
}

script::Surroundings Interpreter::surroundingsOf(const Statement& s) {
  std::set<std::string> names;
  collectNames(s, names);
  script::Surroundings around;
  auto isConstant = [](const Value& v, auto&& self) -> bool {
    if (v.number() || v.get<std::string>()) return true;
    auto* list = v.sequence();
    return list && std::all_of(list->items.begin(), list->items.end(), [&](const Value& i) { return self(i, self); });
  };
  for (const std::string& n : names) {
    Value* v = lookup(n);
    if (!v) continue;
    if (auto* f = v->get<Foreign>()) {
      const std::string last = f->path.substr(f->path.rfind('.') + 1);
      if (last == "tir" || last == "tirx") around.aliases.emplace_back(n, 'T');
      if (last == "ir") around.aliases.emplace_back(n, 'I');
      if (last == "relax") around.aliases.emplace_back(n, 'R');
    } else if (isConstant(*v, isConstant)) {
      script::Node at;
      at.line = s.line;
      at.column = s.column;
      around.constants.emplace_back(n, written(*v, at));
    }
  }
  return around;
}

}  // namespace loom::notebook
