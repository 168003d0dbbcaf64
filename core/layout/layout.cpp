#include "core/layout/layout.h"

#include <fmt/format.h>

#include <algorithm>

namespace loom::layout {
namespace {

Failure layoutError(Message message) { return fail("LayoutError", std::move(message), Forbids::Input); }

// Whether digits, sorted by `weight`, count without holes or overlaps: 1, e0, e0·e1, …, up to `extent`.
template <class Weight>
bool countsThrough(std::vector<Digit> digits, std::int64_t extent, Weight weight) {
  std::erase_if(digits, [](const Digit& d) { return d.extent == 1; });
  std::sort(digits.begin(), digits.end(), [&](const Digit& a, const Digit& b) { return weight(a) < weight(b); });
  std::int64_t next = 1;
  for (const Digit& d : digits) {
    if (weight(d) != next) return false;
    next *= d.extent;
  }
  return next == extent;
}

Result<DigitStage> inverseOf(const DigitStage& stage, const std::vector<Dimension>& inputs) {
  auto refuse = [](Message why) { return fail("NotInvertible", std::move(why), Forbids::Program); };
  for (std::int64_t b : stage.base) {
    if (b != 0) return refuse(message("an offset is added, so that what lies before it is reached from nowhere"));
  }
  for (int d = 0; d < int(inputs.size()); ++d) {
    std::vector<Digit> own;
    std::copy_if(stage.digits.begin(), stage.digits.end(), std::back_inserter(own),
                 [&](const Digit& x) { return x.source == d; });
    if (!countsThrough(own, inputs[d].extent, [](const Digit& x) { return x.divisor; })) {
      return refuse(message("different values of {} give the same {}", inputs[d].name,
                            stage.outputs.empty() ? message("result") : verbatim(stage.outputs[0].name)));
    }
  }
  for (int d = 0; d < int(stage.outputs.size()); ++d) {
    std::vector<Digit> own;
    std::copy_if(stage.digits.begin(), stage.digits.end(), std::back_inserter(own),
                 [&](const Digit& x) { return x.target == d; });
    if (!countsThrough(own, stage.outputs[d].extent, [](const Digit& x) { return x.stride; })) {
      return refuse(message("some of the {} values of {} are reached from nowhere, or twice", stage.outputs[d].extent,
                            stage.outputs[d].name));
    }
  }
  DigitStage back;
  back.outputs = inputs;
  for (const Digit& d : stage.digits) {
    if (d.extent > 1) back.digits.push_back({d.target, d.stride, d.extent, d.source, d.divisor});
  }
  return back;
}

std::string digitText(const Digit& d, const std::vector<Dimension>& inputs) {
  const Dimension& from = inputs[std::size_t(d.source)];
  std::string text = from.name;
  if (d.divisor != 1) text += fmt::format(" / {}", d.divisor);
  if (d.divisor * d.extent < from.extent) text += fmt::format(" % {}", d.extent);
  if (d.stride != 1) text += fmt::format(" · {}", d.stride);
  return text;
}

}  // namespace

Layout::Layout(std::vector<Dimension> inputs) : inputs_(inputs), outputs_(std::move(inputs)) {}

Layout Layout::undefined(std::vector<Dimension> inputs, std::vector<Dimension> outputs, Message why) {
  Layout l(std::move(inputs));
  l.outputs_ = std::move(outputs);
  l.why_ = std::move(why);
  return l;
}

std::int64_t Layout::size() const {
  std::int64_t n = 1;
  for (const Dimension& d : inputs_) n *= d.extent;
  return n;
}

Result<Layout> Layout::then(Stage stage) const {
  for (const Dimension& d : outputs_) {
    if (d.extent <= 0) return layoutError(message("{} has extent {}", d.name, d.extent));
  }
  if (auto* digits = std::get_if<DigitStage>(&stage)) {
    for (const Digit& d : digits->digits) {
      if (d.source < 0 || d.source >= int(outputs_.size()) || d.target < 0 || d.target >= int(digits->outputs.size()))
        return layoutError(message("a digit names a dimension that isn't there"));
      if (d.divisor <= 0 || d.extent <= 0) return layoutError(message("a digit's divisor and extent must be positive"));
    }
    if (!digits->base.empty() && digits->base.size() != digits->outputs.size())
      return layoutError(message("an offset for each output, or none"));
  } else {
    const auto& x = std::get<XorStage>(stage);
    if (outputs_.size() != 1) return layoutError(message("address bits are those of one dimension"));
    if (x.bits < 0 || x.base < 0 || x.shift < x.bits || x.base + x.shift + x.bits > 40)
      return layoutError(message("an xor of {} bits at {} by {} overlaps itself", x.bits, x.base, x.shift));
    if (outputs_[0].extent % (std::int64_t{1} << (x.base + x.bits)) != 0)
      return layoutError(
          message("an xor of bits {} to {} leaves an extent of {}", x.base, x.base + x.bits - 1, outputs_[0].extent));
  }
  Layout l = *this;
  if (auto* digits = std::get_if<DigitStage>(&stage)) l.outputs_ = digits->outputs;
  l.stages_.push_back(std::move(stage));
  return l;
}

Result<Layout> Layout::then(const Layout& next) const {
  if (outputs_.size() != next.inputs_.size())
    return layoutError(message("{} coordinates don't go into {}", outputs_.size(), next.inputs_.size()));
  for (std::size_t d = 0; d < outputs_.size(); ++d) {
    if (outputs_[d].extent != next.inputs_[d].extent)
      return layoutError(message("{} of extent {} doesn't go into {} of extent {}", outputs_[d].name,
                                 outputs_[d].extent, next.inputs_[d].name, next.inputs_[d].extent));
  }
  Layout l = *this;
  l.outputs_ = next.outputs_;
  l.stages_.insert(l.stages_.end(), next.stages_.begin(), next.stages_.end());
  if (l.why_.empty()) l.why_ = next.why_;
  return l;
}

Result<Point> Layout::apply(const Point& point) const {
  if (!isDefined()) return fail("LayoutUndefined", why_, Forbids::Hardware);
  if (point.size() != inputs_.size())
    return layoutError(message("{} coordinates for {} dimensions", point.size(), inputs_.size()));
  for (std::size_t d = 0; d < point.size(); ++d) {
    if (point[d] < 0 || point[d] >= inputs_[d].extent)
      return layoutError(message("{} = {} lies outside 0 … {}", inputs_[d].name, point[d], inputs_[d].extent - 1));
  }
  Point at = point;
  for (const Stage& s : stages_) {
    if (auto* digits = std::get_if<DigitStage>(&s)) {
      Point out = digits->base.empty() ? Point(digits->outputs.size(), 0) : digits->base;
      for (const Digit& d : digits->digits)
        out[std::size_t(d.target)] += at[std::size_t(d.source)] / d.divisor % d.extent * d.stride;
      at = std::move(out);
    } else {
      const auto& x = std::get<XorStage>(s);
      at[0] ^= ((at[0] >> (x.base + x.shift)) & ((std::int64_t{1} << x.bits) - 1)) << x.base;
    }
  }
  return at;
}

Result<Layout> Layout::inverse() const {
  if (!isDefined()) return fail("NotInvertible", why_, Forbids::Hardware);
  // The dimensions before each stage.
  std::vector<std::vector<Dimension>> before{inputs_};
  for (const Stage& s : stages_) {
    auto* digits = std::get_if<DigitStage>(&s);
    before.push_back(digits ? digits->outputs : before.back());
  }
  Layout back(outputs_);
  for (std::size_t i = stages_.size(); i-- > 0;) {
    Stage stage = stages_[i];
    if (auto* digits = std::get_if<DigitStage>(&stages_[i])) {
      auto inverted = inverseOf(*digits, before[i]);
      if (!inverted) return Failure(inverted.error());
      stage = *inverted;
    }
    auto longer = back.then(std::move(stage));
    if (!longer) return longer;
    back = std::move(*longer);
  }
  back.outputs_ = inputs_;
  return back;
}

Result<std::vector<Point>> Layout::preimages(const Point& output) const {
  if (output.size() != outputs_.size())
    return layoutError(message("{} coordinates for {} dimensions", output.size(), outputs_.size()));
  std::vector<Point> found;
  for (std::int64_t i = 0; i < size(); ++i) {
    Point p = pointAt(inputs_, i);
    auto q = apply(p);
    if (!q) return Failure(q.error());
    if (*q == output) found.push_back(std::move(p));
  }
  return found;
}

std::string Layout::text() const {
  auto list = [](const std::vector<Dimension>& ds) {
    std::string s;
    for (const Dimension& d : ds) s += fmt::format("{}{}:{}", s.empty() ? "" : ", ", d.name, d.extent);
    return "(" + s + ")";
  };
  std::string text = list(inputs_) + " → " + list(outputs_);
  if (!isDefined()) return text + ": undefined, " + why_.english();
  std::vector<Dimension> at = inputs_;
  for (const Stage& s : stages_) {
    text += &s == &stages_.front() ? ": " : "; then ";
    if (auto* digits = std::get_if<DigitStage>(&s)) {
      for (std::size_t d = 0; d < digits->outputs.size(); ++d) {
        std::string sum;
        if (!digits->base.empty() && digits->base[d] != 0) sum = std::to_string(digits->base[d]);
        for (const Digit& digit : digits->digits) {
          if (digit.target != int(d)) continue;
          sum += (sum.empty() ? "" : " + ") + digitText(digit, at);
        }
        text += fmt::format("{}{} = {}", d ? ", " : "", digits->outputs[d].name, sum.empty() ? "0" : sum);
      }
      at = digits->outputs;
    } else {
      const auto& x = std::get<XorStage>(s);
      text += fmt::format("bits {}…{} of {} xor bits {}…{}", x.base, x.base + x.bits - 1, at[0].name, x.base + x.shift,
                          x.base + x.shift + x.bits - 1);
    }
  }
  return text;
}

std::string Layout::json() const {
  auto list = [](const std::vector<Dimension>& ds) {
    std::string s;
    for (const Dimension& d : ds) s += fmt::format("{}[\"{}\",{}]", s.empty() ? "" : ",", d.name, d.extent);
    return "[" + s + "]";
  };
  std::string text = fmt::format("{{\"inputs\":{},\"outputs\":{}", list(inputs_), list(outputs_));
  if (!isDefined()) return text + fmt::format(",\"undefined\":\"{}\"}}", why_);
  std::string stages;
  for (const Stage& s : stages_) {
    if (!stages.empty()) stages += ",";
    if (auto* digits = std::get_if<DigitStage>(&s)) {
      std::string all;
      for (const Digit& d : digits->digits)
        all += fmt::format("{}[{},{},{},{},{}]", all.empty() ? "" : ",", d.source, d.divisor, d.extent, d.target,
                           d.stride);
      const bool moved = std::ranges::any_of(digits->base, [](std::int64_t b) { return b != 0; });
      const std::string base = moved ? fmt::format(",\"base\":[{}]", fmt::join(digits->base, ",")) : "";
      stages += fmt::format("{{\"digits\":[{}]{}}}", all, base);
    } else {
      const auto& x = std::get<XorStage>(s);
      stages += fmt::format("{{\"xor\":[{},{},{}]}}", x.bits, x.base, x.shift);
    }
  }
  return text + fmt::format(",\"stages\":[{}]}}", stages);
}

Result<Layout> strided(std::vector<Dimension> shape, const std::vector<std::int64_t>& strides, std::int64_t extent,
                       const std::string& name) {
  if (shape.size() != strides.size()) return layoutError(message("a stride for each dimension"));
  std::int64_t last = 0;
  DigitStage stage;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d].extent <= 0) return layoutError(message("{} has extent {}", shape[d].name, shape[d].extent));
    stage.digits.push_back({int(d), 1, shape[d].extent, 0, strides[d]});
    last += (shape[d].extent - 1) * std::max<std::int64_t>(strides[d], 0);
  }
  if (last >= extent) return layoutError(message("offset {} lies outside {}", last, extent));
  stage.outputs = {{name, extent}};
  return Layout(std::move(shape)).then(std::move(stage));
}

Layout rowMajor(std::vector<Dimension> shape, const std::string& name) {
  std::vector<std::int64_t> strides(shape.size());
  std::int64_t n = 1;
  for (std::size_t d = shape.size(); d-- > 0;) {
    strides[d] = n;
    n *= shape[d].extent;
  }
  return strided(std::move(shape), strides, n, name).value();
}

Result<Layout> padded(std::int64_t rows, std::int64_t columns, std::int64_t pitch) {
  if (pitch < columns) return layoutError(message("a pitch of {} for rows of {}", pitch, columns));
  return strided({{"row", rows}, {"column", columns}}, {pitch, 1}, rows * pitch);
}

Result<Layout> inBytes(std::int64_t elements, std::int64_t bytesEach) {
  if (bytesEach <= 0) return layoutError(message("an element has at least one byte"));
  DigitStage stage{{{0, 1, elements, 0, bytesEach}}, {}, {{"byte", elements * bytesEach}}};
  return Layout({{"element", elements}}).then(std::move(stage));
}

Point pointAt(const std::vector<Dimension>& dimensions, std::int64_t index) {
  Point p(dimensions.size());
  for (std::size_t d = dimensions.size(); d-- > 0;) {
    p[d] = index % dimensions[d].extent;
    index /= dimensions[d].extent;
  }
  return p;
}

}  // namespace loom::layout
