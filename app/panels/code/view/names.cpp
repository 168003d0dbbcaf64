#include "app/panels/code/view/names.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <set>
#include <string_view>

#include "core/ir/packed.h"
#include "core/ir/visit.h"

namespace loom::session {
namespace {

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Calls f with the bytes of each identifier that stands by itself: outside of texts and comments, not behind a dot.
void forEachWord(const std::string& line, bool python, const std::function<void(int, int)>& f) {
  for (std::size_t i = 0; i < line.size();) {
    if (line[i] == '"') {
      i = std::min(line.find('"', i + 1), line.size() - 1) + 1;
    } else if ((python && line[i] == '#') || (!python && line.compare(i, 2, "//") == 0)) {
      return;
    } else if (isWord(line[i])) {
      std::size_t end = i;
      while (end < line.size() && isWord(line[end])) ++end;
      const bool number = std::isdigit(static_cast<unsigned char>(line[i])) != 0;
      if (!number && (i == 0 || line[i - 1] != '.')) f(int(i), int(end));
      i = end;
    } else {
      ++i;
    }
  }
}

// A name and the lines in which it means this.
struct Definition {
  int first = 0, last = 0, name = 0;
};
using Definitions = std::map<std::string, std::vector<Definition>, std::less<>>;

const Definition* innermost(const Definitions& all, std::string_view word, int line) {
  const auto found = all.find(word);
  const Definition* best = nullptr;
  if (found == all.end()) return best;
  for (const Definition& d : found->second) {
    if (line >= d.first && line <= d.last && (best == nullptr || d.last - d.first <= best->last - best->first))
      best = &d;
  }
  return best;
}

std::vector<std::string> printed(const std::vector<ir::Expr>& shape) {
  std::vector<std::string> all;
  for (const ir::Expr& extent : shape) all.push_back(script::printExpr(extent));
  return all;
}

CodeName bufferOf(const ir::BufferNode& buffer) {
  CodeName name;
  name.what = CodeName::What::kBuffer;
  name.id = buffer.id;
  name.name = buffer.name;
  name.scope = buffer.scope;
  name.dtype = buffer.dtype.str();
  name.shape = printed(buffer.shape);
  name.bytes = ir::bytesEach(buffer.dtype);
  for (const ir::Expr& extent : buffer.shape) {
    const ir::IntImmNode* constant = ir::asInt(extent);
    name.bytes = constant != nullptr && name.bytes >= 0 ? name.bytes * double(constant->value) : -1;
  }
  return name;
}

// Everything that a function defines.
struct Defined {
  std::map<ir::Id, const ir::BufferNode*> buffers;
  std::map<ir::Id, const ir::BlockRealizeNode*> blocks;
};

Defined definedIn(const ir::Function& function) {
  Defined all;
  auto add = [&](const ir::Buffer& buffer) {
    if (buffer) all.buffers[buffer->id] = buffer.get();
  };
  if (!function) return all;
  for (const ir::Parameter& parameter : function->params) add(parameter.buffer);
  ir::forEachStmt(function->body, [&](const ir::Stmt& s) {
    const ir::BlockRealizeNode* realize = ir::asRealize(s);
    if (realize == nullptr) return true;
    all.blocks[realize->block->id] = realize;
    for (const ir::Buffer& buffer : realize->block->allocs) add(buffer);
    for (const ir::MatchBuffer& match : realize->block->matches) add(match.buffer);
    return true;
  });
  return all;
}

// The axes of a block are defined in order, on lines of their own behind its header: `vi = T.axis.spatial(64, i_0)`.
void addAxes(const script::Span& block, const ir::BlockRealizeNode& realize, const std::vector<std::string>& lines,
             CodeNames& made, Definitions& definitions) {
  std::size_t iter = 0;
  for (int l = block.line0 + 1; l <= block.line1 && iter < realize.block->iters.size(); ++l) {
    const std::string& line = lines[std::size_t(l)];
    const std::size_t equals = line.find(" = T.axis.");
    if (equals == std::string::npos) break;
    for (std::size_t i = 0; i < equals && iter < realize.block->iters.size();) {
      if (!isWord(line[i])) {
        ++i;
        continue;
      }
      std::size_t end = i;
      while (isWord(line[end])) ++end;
      const ir::IterVar& axis = realize.block->iters[iter];
      CodeName name;
      name.what = CodeName::What::kAxis;
      name.name = line.substr(i, end - i);
      name.id = realize.block->id;
      name.block = realize.block->name;
      name.iter = axis.type;
      if (const ir::IntImmNode* extent = ir::asInt(axis.domain.extent)) name.extent = extent->value;
      name.value = script::printExpr(realize.values[iter]);
      definitions[name.name].push_back({block.line0, block.line1, int(made.names.size())});
      made.names.push_back(std::move(name));
      ++iter;
      i = end;
    }
  }
}

}  // namespace

const CodeName* CodeNames::at(int line, int column) const {
  if (line < 0 || line >= int(words.size())) return nullptr;
  for (const CodeWord& word : words[std::size_t(line)]) {
    if (column >= word.from && column < word.to) return &names[std::size_t(word.name)];
  }
  return nullptr;
}

CodeNames namesOfScript(const script::Script& script, const std::vector<std::string>& lines,
                        const ir::Function& function, const LoopNest& nest) {
  using What = script::Span::What;
  CodeNames made;
  made.words.resize(lines.size());
  const Defined defined = definedIn(function);
  Definitions definitions;
  auto define = [&](CodeName name, const script::Span& scope) {
    definitions[name.name].push_back({scope.line0, scope.line1, int(made.names.size())});
    made.names.push_back(std::move(name));
  };
  auto textOf = [&](const script::Span& span) {
    return lines[std::size_t(span.line0)].substr(std::size_t(span.col0), std::size_t(span.col1 - span.col0));
  };
  std::map<ir::Id, const script::Span*> bodies;
  std::vector<const script::Span*> scopes;  // of buffers
  for (const script::Span& span : script.spans) {
    if (span.what == What::LoopBody || span.what == What::BlockBody) bodies[span.id] = &span;
    if (span.what == What::Function || span.what == What::BlockBody) scopes.push_back(&span);
  }
  for (const script::Span& span : script.spans) {
    if (span.line1 >= int(lines.size())) continue;
    if (span.what == What::Loop && bodies.count(span.id) != 0) {
      CodeName name;
      name.name = textOf(span);
      name.id = span.id;
      name.row = nest.find(span.id);
      define(std::move(name), *bodies[span.id]);
    } else if (span.what == What::BlockBody) {
      if (auto block = defined.blocks.find(span.id); block != defined.blocks.end())
        addAxes(span, *block->second, lines, made, definitions);
    } else if (span.what == What::Buffer) {
      const auto buffer = defined.buffers.find(span.id);
      const script::Span* scope = nullptr;
      for (const script::Span* around : scopes) {
        const bool holds = around->line0 <= span.line0 && around->line1 >= span.line0;
        if (holds && (scope == nullptr || around->line1 - around->line0 <= scope->line1 - scope->line0)) scope = around;
      }
      if (buffer == defined.buffers.end() || scope == nullptr) continue;
      CodeName name = bufferOf(*buffer->second);
      name.name = textOf(span);
      define(std::move(name), *scope);
    }
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    forEachWord(lines[i], true, [&](int from, int to) {
      const std::string_view word = std::string_view(lines[i]).substr(std::size_t(from), std::size_t(to - from));
      if (const Definition* d = innermost(definitions, word, int(i))) made.words[i].push_back({from, to, d->name});
    });
  }
  return made;
}

CodeNames namesOfCuda(const document::KernelText& kernel, const std::vector<std::string>& lines, const LoopNest& nest) {
  CodeNames made;
  made.words.resize(lines.size());
  if (!kernel.program) return made;
  std::map<std::string, int, std::less<>> buffers;
  auto addBuffer = [&](CodeName name) {
    std::replace_if(
        name.name.begin(), name.name.end(), [](char c) { return !isWord(c); }, '_');
    buffers.emplace(name.name, int(made.names.size()));
    made.names.push_back(std::move(name));
  };
  for (const device::Kernel& k : kernel.program->kernels) {
    for (const device::Allocation& allocation : k.allocations) {
      CodeName name = bufferOf(*allocation.buffer);
      name.shape.clear();
      const std::vector<std::int64_t> extents = allocation.extents(), strides = allocation.strides();
      for (std::int64_t extent : extents) name.shape.push_back(std::to_string(extent));
      if (name.shape.empty()) name.shape.push_back(std::to_string(allocation.elements));
      std::int64_t dense = 1;
      bool padded = false;
      for (std::size_t d = strides.size(); d-- > 0 && d < extents.size();) {
        padded |= strides[d] != dense;
        dense *= extents[d];
      }
      if (padded) name.strides = strides;
      name.bytes = allocation.fragment ? -1 : double(allocation.bytes());
      addBuffer(std::move(name));
    }
  }
  if (kernel.function) {
    for (const ir::Parameter& parameter : kernel.function->params) {
      if (parameter.buffer) addBuffer(bufferOf(*parameter.buffer));
    }
  }
  std::map<int, int> loops;  // row of the nest → name
  auto loopOf = [&](int row) {
    const auto [at, added] = loops.emplace(row, int(made.names.size()));
    if (added) {
      CodeName name;
      name.name = nest.rows[std::size_t(row)].name;
      name.id = nest.rows[std::size_t(row)].id;
      name.row = row;
      made.names.push_back(std::move(name));
    }
    return at->second;
  };
  const auto& origins = kernel.source.lines;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    // Of the loops and blocks that the line comes from, the innermost.
    int around = i < origins.size() && origins[i].block ? nest.find(origins[i].block) : -1;
    if (i < origins.size()) {
      for (const ir::Id id : origins[i].ids) {
        const int row = nest.find(id);
        if (row >= 0 && (around < 0 || nest.rows[std::size_t(row)].depth > nest.rows[std::size_t(around)].depth))
          around = row;
      }
    }
    forEachWord(lines[i], false, [&](int from, int to) {
      const std::string_view word = std::string_view(lines[i]).substr(std::size_t(from), std::size_t(to - from));
      for (int row = around; row >= 0; row = nest.rows[std::size_t(row)].parent) {
        const NestRow& loop = nest.rows[std::size_t(row)];
        if (loop.kind != NestRow::Kind::kLoop) continue;
        const bool thread = loop.axis == HardwareAxis::kBlock ||
                            (loop.axis >= HardwareAxis::kThreadX && loop.axis <= HardwareAxis::kThreadZ);
        const char kind = loop.axis == HardwareAxis::kBlock ? 'b' : 't';
        if (thread ? word.size() == 2 && word[0] == kind && word[1] == loop.component : word == loop.name) {
          made.words[i].push_back({from, to, loopOf(row)});
          return;
        }
      }
      if (auto buffer = buffers.find(word); buffer != buffers.end())
        made.words[i].push_back({from, to, buffer->second});
    });
  }
  return made;
}

std::vector<int> foldEnds(const std::vector<std::string>& lines) {
  std::vector<int> ends(lines.size());
  auto indentOf = [&](std::size_t i) { return lines[i].find_first_not_of(' '); };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    ends[i] = int(i);
    const std::size_t indent = indentOf(i);
    if (indent == std::string::npos) continue;
    for (std::size_t j = i + 1; j < lines.size(); ++j) {
      const std::size_t inner = indentOf(j);
      if (inner == std::string::npos) continue;  // blank lines end nothing
      if (inner <= indent) {
        if (inner == indent && lines[j][inner] == '}' && ends[i] > int(i)) ends[i] = int(j);
        break;
      }
      ends[i] = int(j);
    }
  }
  return ends;
}

}  // namespace loom::session
