#include "core/model/timeline_roles.h"

#include <algorithm>

namespace loom::model {

void shareByRoles(Timeline& t, const RoleRun& run, double longer, double life) {
  TrackClocks asked{}, all{};
  for (const TimelinePhase& p : t.phases)
    for (std::size_t i = 0; i < asked.size(); ++i) asked[i] += p.times * p.clocks[i];
  all[int(Track::Copy)] = run.use.copy + run.use.l2;
  all[int(Track::Shared)] = run.use.shared;
  all[int(Track::Arithmetic)] = run.use.tensor;
  TrackClocks scale{};
  for (std::size_t i = 0; i < scale.size(); ++i) {
    scale[i] = all[i] > 0 && asked[i] > 0 ? all[i] * longer / t.rounds / asked[i] : asked[i] > 0 ? 1 : 0;
    scale[i] = std::min(scale[i], asked[i] > 0 ? life / asked[i] : 0);  // none is busy for longer than the block lives
  }
  double own = 0;
  for (TimelinePhase& p : t.phases) {
    for (std::size_t i = 0; i < scale.size(); ++i) p.clocks[i] *= scale[i];
    const auto most = std::ranges::max_element(p.clocks);
    p.throughput = *most;
    p.busiest = Track(most - p.clocks.begin());
    own += p.times * p.throughput;
  }
  // Phases that exclude each other leave less to each.
  const double fits = own > life && own > 0 ? life / own : 1;
  const double waited = run.use.forBarriers + run.use.forProducts;
  const double forProducts = waited > 0 ? run.use.forProducts / waited : 0;
  const double rest = own > 0 ? std::max(0.0, life - own) / own : 0;
  for (TimelinePhase& p : t.phases) {
    for (double& c : p.clocks) c *= fits;
    p.throughput *= fits;
    const bool memory = p.busiest == Track::Copy || p.busiest == Track::Shared;
    p.exposed = {};
    for (const Track track : {Track::Copy, Track::Shared, Track::Arithmetic, Track::Issue})
      if (track == p.busiest || (memory && (track == Track::Copy || track == Track::Shared)))
        p.exposed[std::size_t(track)] = p.clocks[std::size_t(track)];
    p.waits = {};
    p.waits[int(Track::Copy)] = rest * (1 - forProducts) * p.throughput;
    p.waits[int(Track::Arithmetic)] = rest * forProducts * p.throughput;
  }
  for (TimelineItem& item : t.items) {
    if (item.kind != TimelineItem::Kind::Phase) continue;
    const TimelinePhase& p = t.phases[std::size_t(item.index)];
    for (int j = int(&item - t.items.data()) + 1; j < item.end; ++j) {
      if (t.items[std::size_t(j)].kind != TimelineItem::Kind::Action) continue;
      TimelineAction& a = t.actions[std::size_t(t.items[std::size_t(j)].index)];
      for (std::size_t i = 0; i < scale.size(); ++i) {
        a.clocks[i] *= scale[i] * fits;
        a.waits[i] = p.clocks[i] > 0 ? p.waits[i] * a.clocks[i] / p.clocks[i] : 0;
      }
    }
  }
  t.stretch = 1;
}

}  // namespace loom::model
