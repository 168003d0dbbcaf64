#include "app/panels/loop_nest/view/nest_frames.h"

#include <algorithm>

namespace loom::session {

std::vector<NestFrame> nestFrames(const LoopNest& nest, const std::vector<NestLine>& lines) {
  std::vector<NestFrame> frames;
  std::vector<int> frameOf(nest.rows.size(), -1);
  for (const NestLine& line : lines) {
    NestFrame frame;
    frame.line = line;
    const int above = nest.rows[std::size_t(line.first)].parent;
    frame.parent = above < 0 ? -1 : frameOf[std::size_t(above)];
    frame.depth = frame.parent < 0 ? 0 : frames[std::size_t(frame.parent)].depth + 1;
    for (int row = line.first; row <= line.last; ++row) frameOf[std::size_t(row)] = int(frames.size());
    frames.push_back(frame);
  }
  for (int i = int(frames.size()) - 1; i >= 0; --i) {
    NestFrame& frame = frames[std::size_t(i)];
    frame.end = std::max(frame.end, i + 1);
    if (frame.parent < 0) continue;
    int& around = frames[std::size_t(frame.parent)].end;
    around = std::max(around, frame.end);
  }
  return frames;
}

float stackFrames(std::vector<NestFrame>& frames, float top, float foot, float gap) {
  std::vector<int> around;
  auto close = [&](int before) {
    while (!around.empty() && frames[std::size_t(around.back())].end <= before) {
      NestFrame& frame = frames[std::size_t(around.back())];
      if (frame.end > around.back() + 1) top += foot;
      frame.bottom = top;
      top += gap;
      around.pop_back();
    }
  };
  for (int i = 0; i < int(frames.size()); ++i) {
    close(i);
    frames[std::size_t(i)].top = top;
    top += frames[std::size_t(i)].header;
    around.push_back(i);
  }
  close(int(frames.size()));
  return top;
}

}  // namespace loom::session
