#include "core/gpu/resize.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>

#include "core/ir/build.h"
#include "core/ir/loads.h"
#include "core/ir/visit.h"

namespace loom::gpu {
namespace {

using namespace ir;

constexpr std::int64_t kMost = 2147483647;  // kernels index with 32 bits, as TVM's do

Failure noProduct(Message why) { return fail("NotAProduct", std::move(why)); }

// Extents by variable, of loops and of the block's iterators; buffers by the old one.
struct Plan {
  std::unordered_map<const VarNode*, std::int64_t> extents;
  std::unordered_map<const BufferNode*, Buffer> buffers;
  DType output;
};

Expr operand(const Expr& e, const Plan& plan) {
  const Expr* at = &e;
  while ((*at)->kind == ExprKind::Cast) at = &as<CastNode>(*at)->value;
  const auto& l = *as<LoadNode>(*at);
  Expr loaded = load(plan.buffers.at(l.buffer.get()), l.indices);
  return loaded->dtype == plan.output ? loaded : std::make_shared<CastNode>(plan.output, std::move(loaded));
}

// The loops, the block and its statements with what the plan says. The shape was checked before.
class Resizer : public Mutator {
 public:
  explicit Resizer(const Plan& plan) : plan_(plan) {}

  Buffer rewriteBuffer(const Buffer& b) override {
    auto found = plan_.buffers.find(b.get());
    return found == plan_.buffers.end() ? b : found->second;
  }

  Block rewriteBlock(const Block& b) override {
    const Block made = Mutator::rewriteBlock(b);
    if (made->iters.empty()) return made;  // the root
    return edit(*made, [&](BlockNode& n) {
      for (IterVar& iter : n.iters)
        iter.domain.extent = intImm(plan_.extents.at(iter.var.get()), iter.domain.extent->dtype);
    });
  }

 protected:
  Stmt rewriteFor(const Stmt& s) override {
    Stmt made = Mutator::rewriteFor(s);
    const auto& loop = *as<ForNode>(made);
    return edit(loop, [&](ForNode& n) { n.extent = intImm(plan_.extents.at(loop.var.get()), loop.extent->dtype); });
  }
  // `D[i, j] = 0`, or `D[i, j] = D[i, j] + a * b`.
  Stmt rewriteStore(const Stmt& s) override {
    const auto& old = *as<StoreNode>(s);
    const Buffer& to = plan_.buffers.at(old.buffer.get());
    if (const auto* sum = asBinary(old.value, ExprKind::Add)) {
      const auto* product = asBinary(sum->b, ExprKind::Mul);
      const Expr before = load(to, as<LoadNode>(sum->a)->indices);
      const Expr both = binary(ExprKind::Mul, operand(product->a, plan_), operand(product->b, plan_));
      return ir::store(to, binary(ExprKind::Add, before, both), old.indices);
    }
    return ir::store(to, zero(plan_.output), old.indices);
  }

 private:
  const Plan& plan_;
};

struct Shape {
  std::vector<const ForNode*> loops;
  const BlockRealizeNode* realize = nullptr;
};

Shape shapeOf(const Function& f) {
  Shape shape;
  Stmt s = f->body->block->body;
  while (const auto* loop = asFor(s)) shape.loops.push_back(loop), s = loop->body;
  shape.realize = asRealize(s);
  return shape;
}

// Why the function can't be given another size, though it is a product; empty where it can.
Message obstacle(const Function& f, const Shape& shape) {
  const BlockNode& block = *shape.realize->block;
  if (!isTrue(shape.realize->predicate)) return message("its block has a condition");
  if (!block.matches.empty() || !block.allocs.empty()) return message("its block has buffers of its own");
  for (const ForNode* loop : shape.loops)
    if (!isConst(loop->min, 0)) return message("a loop doesn't begin with 0");
  for (std::size_t i = 0; i < block.iters.size(); ++i) {
    const VarNode* var = asVar(shape.realize->values[i]);
    const bool own =
        var && std::any_of(shape.loops.begin(), shape.loops.end(), [&](const ForNode* l) {
          return l->var.get() == var && constantOr(l->extent, -1) == constantOr(block.iters[i].domain.extent, -2);
        });
    if (!own || !isConst(block.iters[i].domain.min, 0)) return message("its loops aren't its rows, columns and sum");
  }
  if (shape.loops.size() != block.iters.size()) return message("its loops aren't its rows, columns and sum");
  for (const auto* regions : {&block.reads, &block.writes}) {
    for (const BufferRegion& r : *regions)
      for (const Range& range : r.region)
        if (!isConst(range.extent, 1)) return message("its block reads or writes more than an element");
  }
  for (const Parameter& p : f->params)
    if (!p.buffer || !p.buffer->strides.empty()) return message("a parameter is no plain matrix");
  return {};
}

}  // namespace

std::optional<Matmul> resizableProduct(const Function& f) {
  auto product = recognizeMatmul(f);
  if (!product) return std::nullopt;
  int at = 0;
  for (const Parameter& p : f->params) {
    if (!p.buffer) continue;
    const bool isOfProduct = at == product->a || at == product->b || at == product->d;
    if (isOfProduct && p.buffer->shape.size() != 2) return std::nullopt;
    ++at;
  }
  return product;
}

Result<Function> resized(const Function& f, const ProductSize& size) {
  const auto product = resizableProduct(f);
  if (!product) return noProduct(message("only a function that is one product of two matrices has other sizes"));
  const Shape shape = shapeOf(f);
  if (const Message why = obstacle(f, shape); !why.empty()) {
    return noProduct(message("the product has no other sizes: {}", why));
  }
  for (auto [name, value] : {std::pair{"M", size.m}, {"N", size.n}, {"K", size.k}}) {
    if (value < 1 || value > kMost) {
      return fail("ValueError", message("{} = {} is not between {} and {}", name, value, 1, kMost), Forbids::Input);
    }
  }
  const BlockNode& block = *shape.realize->block;
  const StoreNode& sum = *as<StoreNode>(block.body);
  Plan plan;
  plan.output = size.output.isVoid() ? product->output : size.output;
  const DType input = size.input.isVoid() ? product->input : size.input;
  for (std::size_t i = 0; i < block.iters.size(); ++i) {
    const VarNode* iter = block.iters[i].var.get();
    const bool row = asVar(sum.indices[0]) == iter, column = asVar(sum.indices[1]) == iter;
    plan.extents[iter] = row ? size.m : column ? size.n : size.k;
    plan.extents[asVar(shape.realize->values[i])] = plan.extents[iter];
  }
  std::optional<Error> problem;
  auto take = [&](const Buffer& old, const std::vector<Expr>& indices, DType type) {
    auto made = std::make_shared<BufferNode>(*old);
    made->dtype = type;
    std::int64_t elements = 1;
    for (std::size_t d = 0; d < indices.size(); ++d) {
      const std::int64_t extent = plan.extents.at(asVar(indices[d]));
      if (elements > kMost / extent && !problem) {
        problem = fail("ValueError",
                       message("{} has {} elements; a buffer holds at most {}", old->name, elements * extent, kMost),
                       Forbids::Input)
                      .value();
      }
      elements *= extent;
      made->shape[d] = intImm(extent, old->shape[d]->dtype);
    }
    plan.buffers[old.get()] = std::move(made);
  };
  take(sum.buffer, sum.indices, plan.output);
  for (const LoadNode* l : loadsIn(asBinary(sum.value)->b)) take(l->buffer, l->indices, input);
  if (problem) return Failure(*problem);
  Resizer resizer(plan);
  auto made = std::make_shared<FunctionNode>(*f);
  made->body = std::static_pointer_cast<const BlockRealizeNode>(resizer.rewrite(Stmt(f->body)));
  for (Parameter& p : made->params) p.buffer = resizer.rewriteBuffer(p.buffer);
  return Function(made);
}

namespace {

// A whole number of at least 1; nothing for anything else.
std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || value < 1 || value > kMost)
    return std::nullopt;
  return value;
}

std::string replacedAll(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

// The sizes of one word.
std::vector<ProductSize> sizesOf(const std::string& word) {
  if (const std::size_t dots = word.find(".."); dots != std::string::npos) {
    const auto from = number(std::string_view(word).substr(0, dots)),
               to = number(std::string_view(word).substr(dots + 2));
    std::vector<ProductSize> sizes;
    for (std::int64_t at = from.value_or(0); from && to && at <= *to; at *= 2) sizes.push_back({at, at, at, {}, {}});
    return sizes;
  }
  std::vector<std::int64_t> parts;
  for (std::size_t from = 0; from <= word.size();) {
    const std::size_t end = std::min(word.find('x', from), word.size());
    const auto part = number(std::string_view(word).substr(from, end - from));
    if (!part) return {};
    parts.push_back(*part);
    from = end + 1;
  }
  if (parts.size() == 1) return {{parts[0], parts[0], parts[0], {}, {}}};
  if (parts.size() == 3) return {{parts[0], parts[1], parts[2], {}, {}}};
  return {};
}

}  // namespace

Result<std::vector<ProductSize>> readSizes(const std::string& text, std::size_t most) {
  std::string plain = replacedAll(replacedAll(replacedAll(text, "×", "x"), "，", ","), "、", ",");
  std::replace_if(
      plain.begin(), plain.end(), [](char c) { return c == ',' || c == ';' || c == '\t' || c == '\n'; }, ' ');
  std::replace_if(
      plain.begin(), plain.end(), [](char c) { return c == '*' || c == 'X'; }, 'x');
  std::vector<ProductSize> sizes;
  for (std::size_t from = 0; from < plain.size();) {
    const std::size_t end = std::min(plain.find(' ', from), plain.size());
    const std::string word = plain.substr(from, end - from);
    from = end + 1;
    if (word.empty()) continue;
    const std::vector<ProductSize> more = sizesOf(word);
    if (more.empty()) {
      return fail("ValueError", message("\"{}\" is no size: 1024, 2048x512x1024 (M, N, K) or 512..8192 are", word),
                  Forbids::Input);
    }
    for (const ProductSize& size : more) {
      if (std::find(sizes.begin(), sizes.end(), size) == sizes.end()) sizes.push_back(size);
    }
    if (sizes.size() > most) return fail("ValueError", message("more than {} sizes", most), Forbids::Input);
  }
  if (sizes.empty())
    return fail("ValueError", message("no size: write 1024, 2048x512x1024 or 512..8192"), Forbids::Input);
  return sizes;
}

Result<std::pair<DType, DType>> readTypes(const std::string& text) {
  const std::size_t slash = text.find('/');
  auto read = [](const std::string& word) -> std::optional<DType> {
    auto type = DType::parse(word);
    const bool number = type && (type->isIntegral() || type->isFloat()) && type->isScalar() && type->bits >= 8;
    return number ? type : std::nullopt;
  };
  const auto input = read(text.substr(0, slash));
  const auto output = slash == std::string::npos ? input : read(text.substr(slash + 1));
  if (!input || !output) {
    return fail("ValueError", message("\"{}\" is no pair of element types: float16/float32 is", text), Forbids::Input);
  }
  return std::pair(*input, *output);
}

std::string sizeText(const ProductSize& size) {
  if (size.m == size.n && size.n == size.k) return std::to_string(size.m);
  return fmt::format("{}×{}×{}", size.m, size.n, size.k);
}

}  // namespace loom::gpu
