#include "core/process/frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace loom::process {
namespace {
constexpr std::size_t kMaxPart = std::size_t{1} << 30;
constexpr std::size_t kMaxHead = 64;
constexpr int kDeepest = 100;  // our own frames have less than ten levels; who reads them goes down level by level

bool isTooDeep(const std::string& json) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '"') quoted = !quoted;
    if (quoted && c == '\\') ++i;
    if (quoted) continue;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > kDeepest) return true;
  }
  return false;
}
}  // namespace

std::string encode(const Frame& f) {
  return fmt::format("TLF2 {} {}\n", f.text.size(), f.blob.size()) + f.text + f.blob;
}

Result<std::optional<Frame>> FrameReader::next() {
  auto broken = [&] {
    std::string seen = bytes_.substr(0, std::min(kMaxHead, bytes_.find('\n')));
    std::replace_if(
        seen.begin(), seen.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return fail("ProtocolError", message("the other side sent something that is no frame: \"{}\"", seen),
                Forbids::Environment);
  };
  std::size_t end = bytes_.substr(0, kMaxHead).find('\n');
  if (end == std::string::npos) {
    const std::string magic = "TLF2 ";
    std::size_t seen = std::min(bytes_.size(), magic.size());
    if (bytes_.size() >= kMaxHead || bytes_.compare(0, seen, magic, 0, seen) != 0) return broken();
    return std::optional<Frame>();
  }
  std::size_t text = 0, blob = 0;
  const char *at = bytes_.data() + 5, *stop = bytes_.data() + end;
  if (!bytes_.starts_with("TLF2 ")) return broken();
  auto first = std::from_chars(at, stop, text);
  if (first.ec != std::errc() || first.ptr == stop || *first.ptr != ' ') return broken();
  auto second = std::from_chars(first.ptr + 1, stop, blob);
  if (second.ec != std::errc() || second.ptr != stop || text > kMaxPart || blob > kMaxPart) return broken();
  if (bytes_.size() < end + 1 + text + blob) return std::optional<Frame>();
  Frame f{bytes_.substr(end + 1, text), bytes_.substr(end + 1 + text, blob)};
  bytes_.erase(0, end + 1 + text + blob);
  if (isTooDeep(f.text))
    return fail("ProtocolError", message("the other side sent JSON of more than {} levels", kDeepest),
                Forbids::Environment);
  return std::optional<Frame>(std::move(f));
}

}  // namespace loom::process
