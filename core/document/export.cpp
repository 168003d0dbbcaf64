#include "core/document/export.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <sstream>

#include "core/codegen/launch_call.h"
#include "core/document/file.h"
#include "core/document/own_intrinsics.h"
#include "core/document/tuner_database.h"
#include "core/gpu/project.h"
#include "core/gpu/tensor_map.h"
#include "core/intrin/intrinsic.h"
#include "core/lower/lower.h"
#include "core/schedule/step_kind.h"
#include "core/schedule/trace.h"
#include "core/script/step_text.h"

namespace loom::document {

using Files = std::map<std::string, std::string>;

const std::vector<std::string>& exportKinds() {
  static const std::vector<std::string> kKinds = {"tvmscript", "s_tir", "python",  "trace",    "cuda",    "passes",
                                                  "ptx",       "sass",  "project", "document", "database"};
  return kKinds;
}

namespace {

// A single function is "main" to get_block and work_on here, whatever its name, as it is to TVM where a schedule is
// made of a function. Here it is made of a module, so that its text keeps the name.
void nameFunction(script::StepValue& value, const std::string& name) {
  const auto rename = [&](script::StepValue& text) {
    if (text.is(script::StepValue::Kind::String) && text.text == "main") text.text = name;
  };
  const std::size_t at = value.text == "get_block" ? 1 : 0;
  if (value.is(script::StepValue::Kind::Call) && (value.text == "get_block" || value.text == "work_on")) {
    if (value.items.size() > at) rename(value.items[at]);
    for (script::StepKeyword& k : value.keywords) {
      if (k.name == "func_name") rename(k.value);
    }
  }
  for (script::StepValue& item : value.items) nameFunction(item, name);
  for (script::StepKeyword& k : value.keywords) nameFunction(k.value, name);
}

// The lines of the way to a state, as they run on a schedule of the module.
std::string linesOnModule(const History& h, int node) {
  const auto& functions = h.node(0).state.module().functions;
  const std::string lines = h.schedule(node);
  if (functions.size() != 1 || functions.front()->name == "main") return lines;
  const std::string& name = functions.front()->name;
  std::string text = fmt::format("sch.work_on({})\n", script::printValue(script::stepString(name)));
  auto calls = script::parseSchedule(lines, "");
  if (!calls) return text + lines;
  for (script::StepCall& call : *calls) {
    const script::StepValue before = call.value;
    nameFunction(call.value, name);
    text += (call.value == before ? call.source : script::printLine(call)) + "\n";
  }
  return text;
}

// Operations of Hopper's warpgroups, which TVM has none of; to it they are calls of functions of these names.
constexpr std::array<std::string_view, 3> kUnknownToTvm = {"ptx_wgmma_fill", "ptx_wgmma_mma_async", "ptx_wgmma_store"};

bool isUnknownToTvm(const std::string& functions) {
  return std::ranges::any_of(kUnknownToTvm, [&](std::string_view operation) {
    return functions.find(fmt::format("T.{}(", operation)) != std::string::npos;
  });
}

constexpr std::string_view kAloneForTvm = "to TVM, shared memory that each block has alone";

// What TVM makes of a step line that it takes and doesn't understand; "" of one that it understands.
std::string_view remarkForTvm(const std::string& line, const std::vector<std::string>& unbuildable) {
  if (schedule::stepKind(line) == schedule::StepKind::Annotated) return "kept by TVM, not heeded";
  if (line.find("\"local.wgmma\"") != std::string::npos) return "to TVM, local memory of another name";
  if (line.find("\"shared.cluster\"") != std::string::npos) return kAloneForTvm;
  for (const std::string& name : unbuildable)
    if (line.find('"' + name + '"') != std::string::npos) return "put in place by TVM, which can't build it";
  return "";
}

// The step lines with those remarks at their ends, and above the file what they mean.
struct ForTvm {
  std::string header, lines;
};

ForTvm forTvm(const std::string& lines, const std::vector<std::string>& unbuildable) {
  ForTvm made;
  bool isAnnotated = false, isUnbuildable = false, isOfCluster = false;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) {
    const std::string_view remark = remarkForTvm(line, unbuildable);
    isAnnotated |= remark.starts_with("kept");
    const bool ofCluster = remark == kAloneForTvm;
    isOfCluster |= ofCluster;
    isUnbuildable |= !remark.empty() && !remark.starts_with("kept") && !ofCluster;
    made.lines += remark.empty() ? line + "\n" : fmt::format("{}  # {}\n", line, remark);
  }
  if (isAnnotated)
    made.header +=
        "# TVM keeps annotations that begin with \"tileloom.\" and makes its kernel without them: the same result, at\n"
        "# another speed.\n";
  if (isUnbuildable)
    made.header +=
        "# TVM 0.22 has no products of warpgroups (wgmma): it takes every step, with local.wgmma as local memory and\n"
        "# T.ptx_wgmma_… as calls of functions, and can't build the kernel.\n";
  if (isOfCluster)
    made.header +=
        "# TVM 0.22 has no memory that the blocks of a cluster share: it takes every step, with shared.cluster as "
        "shared\n"
        "# memory of each block, in which the others' parts of a sum are missing. Its kernel computes something "
        "else.\n";
  return made;
}

// Those of the library that the lines use and TVM does not have: of files named own_… (assets/intrinsics/README.md).
std::vector<std::string> intrinsicsThatTvmLacks(const std::string& lines, const schedule::Environment& environment) {
  std::vector<std::string> used;
  if (!environment.intrinsics) return used;
  for (const std::string& name : environment.intrinsics->names()) {
    if (lines.find('"' + name + '"') == std::string::npos) continue;
    const intrin::Intrinsic* i = environment.intrinsics->find(name);  // null where its file is wrong
    if (i && std::filesystem::path(i->file).filename().string().starts_with("own_")) used.push_back(name);
  }
  return used;
}

}  // namespace

std::string pythonFile(const Target& target, int node, const schedule::Environment& environment) {
  const History& h = target.history;
  std::string text =
      fmt::format("# {}, step {}: makes the scheduled module in TVM 0.22.\n", target.title, h.node(node).number);
  const std::string lines = linesOnModule(h, node);
  std::vector<notebook::RegisteredIntrinsic> registered;
  if (target.own) registered = target.own->registered;
  for (const std::string& name : intrinsicsThatTvmLacks(lines, environment)) {
    const bool isOwn = std::ranges::count(registered, name, &notebook::RegisteredIntrinsic::name) > 0;
    const intrin::Intrinsic& i = *environment.intrinsics->find(name);
    if (!isOwn) registered.push_back({name, i.description, i.implementation});
  }
  std::string registrations;
  std::vector<std::string> unbuildable;
  for (const auto& i : registered) {
    const std::string functions = intrinsicText(i);
    if (isUnknownToTvm(functions)) unbuildable.push_back(i.name);
    registrations +=
        fmt::format("{}\n\ntir.TensorIntrin.register({}, {}, {}, override=True)\n\n\n", functions,
                    script::printValue(script::stepString(i.name)), descriptionName(i), implementationName(i));
  }
  const ForTvm made = forTvm(lines, unbuildable);
  text += made.header;
  text += "import tvm\nfrom tvm import tir\nfrom tvm.script import ir as I\nfrom tvm.script import tir as T\n";
  text += "import tvm.tir.tensor_intrin.cuda  # registers the tensor intrinsics\n";
  if (!unbuildable.empty()) {
    text += "import functools\n\n";
    for (std::string_view operation : kUnknownToTvm)
      text += fmt::format("T.{0} = functools.partial(T.call_extern, \"int32\", \"{0}\")\n", operation);
  }
  text += "\n\n";
  const std::string& script = h.node(0).script->text;
  std::size_t start = script.find("@I.ir_module");
  text += script.substr(start == std::string::npos ? 0 : start) + "\n\n\n";
  text += registrations + "sch = tir.Schedule(Module)\n" + made.lines;
  text += "\nif __name__ == \"__main__\":\n    print(sch.mod.script())\n";
  return text;
}

namespace {

// What lowering makes of the state, pass by pass; a state that is no kernel ends with the reason.
std::string passesOf(const schedule::State& state) {
  std::vector<lower::PassResult> passes;
  auto program = lower::lower(state.module().functions.front(), {}, &passes);
  std::string text;
  std::string before;
  for (const lower::PassResult& p : passes) {
    text += p.text == before ? fmt::format("# pass {} changes nothing\n\n", p.pass)
                             : fmt::format("# after pass {}\n{}\n", p.pass, p.text);
    before = p.text;
  }
  if (!program) text += fmt::format("# {}: {}\n", program.error().code, program.error().message);
  return text;
}

// Of a buffer that isn't stored row by row: ", strides (8, 1), from element 16 on, 128 bytes in all".
std::string places(const codegen::GlobalBuffer& b) {
  if (b.strides.empty() && b.start == 0) return "";
  std::string text = fmt::format(", strides ({})", fmt::join(b.strides, ", "));
  if (b.start != 0) text += fmt::format(", from element {} on", b.start);
  return text + fmt::format(", {} bytes in all", b.bytes());
}

// The same over the program's symbols: ", strides (s, 1), from element o on, … elements in all".
std::string placesOver(const ir::BufferNode& b, const ir::Expr& count, const std::vector<ir::Symbol>& symbols) {
  std::string text;
  if (!b.strides.empty()) {
    std::vector<std::string> strides;
    for (const ir::Expr& stride : b.strides) strides.push_back(codegen::symbolText(stride, symbols));
    text += fmt::format(", strides ({})", fmt::join(strides, ", "));
  }
  if (b.elemOffset && ir::constantOr(b.elemOffset, 1) != 0)
    text += fmt::format(", from element {} on", codegen::symbolText(b.elemOffset, symbols));
  return text + fmt::format(", {} elements in all", codegen::symbolText(count, symbols));
}

// Whether a name stands in a text by itself.
bool names(const std::string& text, const std::string& name) {
  auto isPart = [&](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
  };
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    if (!isPart(at - 1) && !isPart(at + name.size())) return true;
  }
  return false;
}

// The maps that the host makes, once each, as cuTensorMapEncodeTiled takes them.
std::string mapComments(const codegen::Source& source) {
  std::set<std::string> lines;
  for (const codegen::KernelLaunch& launch : source.launches) {
    for (const codegen::TensorMapArgument& m : launch.maps) {
      const codegen::GlobalBuffer& buffer = source.buffers.at(std::size_t(m.buffer));
      const gpu::TensorMapCall call = gpu::tensorMapCall(m, buffer).value();
      lines.insert(fmt::format(
          "//   {}: the CUtensorMap of {}{}, {}; the innermost dimension first: extents {}, strides "
          "{} bytes, box {}; {}\n",
          m.name, buffer.name, buffer.start ? fmt::format(" + {}", buffer.start) : "", call.element.name,
          fmt::join(call.extents, ", "), fmt::join(call.strides, ", "), fmt::join(call.box, ", "), call.swizzle.name));
    }
  }
  return fmt::format("{}", fmt::join(lines, ""));
}

// What the text of the kernels doesn't say and whoever launches them needs, as comments before it.
std::string launchComments(const KernelText& kernel, const std::string& title) {
  const codegen::Source& source = kernel.forHost();
  std::string text;
  for (const codegen::KernelLaunch& launch : source.launches) {
    text += fmt::format("//   {};\n", codegen::launchCall(source, launch));
  }
  text += "// where, row by row,\n";
  std::size_t at = 0;
  for (const ir::Parameter& p : kernel.symbolic->params) {
    if (!p.buffer) continue;
    const codegen::GlobalBuffer& b = source.buffers.at(at++);
    std::vector<std::string> shape;
    for (const ir::Expr& extent : p.buffer->shape)
      shape.push_back(ir::asInt(extent) ? std::to_string(ir::asInt(extent)->value)
                                        : codegen::symbolText(extent, source.symbols));
    text += fmt::format("//   {}: {}[{}]{}\n", b.name, b.dtype.str(), fmt::join(shape, ", "),
                        b.count ? placesOver(*p.buffer, b.count, source.symbols) : places(b));
  }
  for (; at < source.buffers.size(); ++at) {
    const codegen::GlobalBuffer& b = source.buffers[at];
    text += fmt::format("//   {}: {}[{}], made by the caller\n", b.name, b.dtype.str(),
                        b.count ? codegen::symbolText(b.count, source.symbols) : fmt::format("{}", b.elements()));
  }
  std::string numbers;
  for (const ir::Symbol& s : source.symbols) {
    const std::string name = codegen::symbolText(s.var, source.symbols);
    numbers +=
        fmt::format("//   {}: {}{}\n", name, s.var->dtype.str(), names(text, name) ? "" : ", which no kernel takes");
  }
  return fmt::format("// {}. To be launched as\n{}{}{}\n", title, text, mapComments(source), numbers);
}

}  // namespace

Result<Files> exportState(const Target& target, int node, const std::string& kind, Bench& bench,
                          const schedule::Environment& environment) {
  const History& h = target.history;
  const Node& n = h.node(node);
  auto one = [](std::string content) { return Files{{"", std::move(content)}}; };
  if (kind == "tvmscript") return one(n.script->text + "\n");
  if (kind == "s_tir") return one(script::print(n.state.module(), script::Dialect::STir).text + "\n");
  if (kind == "python") return one(pythonFile(target, node, environment));
  if (kind == "trace" || kind == "database") {
    auto calls = script::parseSchedule(h.schedule(node), "");
    if (!calls) return Failure(calls.error());
    auto trace = schedule::traceOf(h.node(0).state.module(), *calls, environmentOf(target, environment));
    if (!trace) return Failure(trace.error());
    if (kind == "database") return tunerFiles(target, node, trace->json());
    return one(trace->json() + "\n");
  }
  if (kind == "passes") return one(passesOf(n.state));
  if (kind == "document") return one(writeDocument(target));
  KernelText kernel = makeKernel(
      n.state, [&](ir::Id id) { return h.describe(node, id); }, 0, h.sizes());
  if (kernel.problem) return Failure(*kernel.problem);
  const std::string title = fmt::format("{}, step {}", target.title, n.number);
  if (kind == "cuda" || kind == "project") {
    if (auto maps = gpu::checkTensorMaps(kernel.forHost()); !maps) return Failure(maps.error());
  }
  if (kind == "cuda") return one(launchComments(kernel, title) + kernel.source.text);
  if (kind == "project") {
    return gpu::exportProject(kernel.forHost(), h.node(0).state.module().functions.front(), kernel.size.numbers, title,
                              h.schedule(node));
  }
  const std::string architecture = bench.architecture();
  if (kind == "ptx") {
    auto ptx = bench.ptx(kernel.source, architecture);
    if (!ptx) return Failure(ptx.error());
    return one(*ptx);
  }
  auto binary = bench.compile(kernel.source, architecture);
  if (!binary) return Failure(binary.error());
  if (!bench.toolkit()) return Failure(bench.toolkit().error());
  auto sass = compile::disassemble(*bench.toolkit(), *binary);
  if (!sass) return Failure(sass.error());
  return one(*sass);
}

}  // namespace loom::document
