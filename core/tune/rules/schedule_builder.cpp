#include "core/tune/rules/schedule_builder.h"

#include "core/model/duration_text.h"
#include "core/tune/space/descent.h"

namespace loom::tune {

bool ScheduleBuilder::pin(const std::vector<std::string>& names, const std::vector<std::int64_t>& values) {
  Pins pins = pins_;
  for (std::size_t n = 0; n < names.size(); ++n) {
    const int d = indexOf(names[n]), value = valueIndexOf(space_.decisions[std::size_t(d)], values[n]);
    if (value < 0 || !pins_.allows(d, value)) return false;
    pins.limitTo(d, {values[n]});
  }
  CountLimits limits;
  limits.seconds = 0.05;
  const auto found = Descent(space_, pins, &residuals_).first(limits);
  if (!found || !*found) return false;
  pins_ = pins;
  known_ = **found;
  return true;
}

void ScheduleBuilder::say(const std::vector<std::string>& names, Message words, Message reason) {
  ConstructionStep step{names, {}, std::move(words), std::move(reason)};
  for (const std::string& name : names) step.values.push_back(now(name));
  made_.steps.push_back(std::move(step));
}

bool ScheduleBuilder::choose(const std::vector<std::string>& names,
                             const std::function<double(const std::vector<std::int64_t>&)>& cost) {
  struct Ranked {
    std::vector<std::int64_t> values;
    double cost = 0;
  };
  std::vector<Ranked> all;
  std::vector<std::int64_t> values(names.size());
  const auto fill = [&](auto&& self, std::size_t n) -> void {
    if (n == names.size()) {
      if (const double c = cost(values); c >= 0) all.push_back({values, c});
      return;
    }
    for (std::int64_t v : valuesOf(names[n])) values[n] = v, self(self, n + 1);
  };
  fill(fill, 0);
  std::ranges::stable_sort(all, {}, &Ranked::cost);
  return std::ranges::any_of(all, [&](const Ranked& one) { return pin(names, one.values); });
}

void ScheduleBuilder::sayElementsAlongK(std::int64_t before) {
  const std::int64_t trips = quantity("trips"), row = std::int64_t(double(quantity("tile.k")) * bytesOfElement());
  say({"k.inner"}, message("{} elements along k at a time", quantity("tile.k")),
      trips < before ? message("{} trips of the loop over k instead of {}; a row is {} bytes", trips, before, row)
                     : message("{} trips of the loop over k; a row is {} bytes", trips, row));
}

bool ScheduleBuilder::readsLess(double microseconds, double before) {
  return microseconds < before && model::durationText(microseconds) != model::durationText(before);
}

}  // namespace loom::tune
