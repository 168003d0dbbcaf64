#include "core/profile/profile_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "core/process/home.h"
#include "core/process/message_json.h"

namespace loom::profile {

using nlohmann::json;

namespace {

constexpr int kVersion = 2;  // states go by compile::programKey; before, by the text alone

// [offset, text, executed, reason, all, not issued, reason, …]; reasons by their index in the file's list.
json rowOf(const InstructionStalls& i) {
  json row = {i.offset, i.text, i.executed};
  for (std::size_t r = 0; r < kStallReasons; ++r) {
    if (i.stalls.all[r] == 0 && i.stalls.unissued[r] == 0) continue;
    row.push_back(r);
    row.push_back(i.stalls.all[r]);
    row.push_back(i.stalls.unissued[r]);
  }
  return row;
}

InstructionStalls instructionOf(const json& row, const std::vector<StallReason>& reasons) {
  InstructionStalls i;
  i.offset = row.at(0);
  i.text = row.at(1);
  i.executed = row.at(2);
  for (std::size_t n = 3; n < row.size(); n += 3)
    i.stalls.add(reasons.at(row.at(n).get<std::size_t>()), row.at(n + 1), row.at(n + 2));
  return i;
}

}  // namespace

StallCount StateProfile::total() const {
  StallCount sum;
  for (const StallProfile& kernel : kernels) sum.add(kernel.total());
  return sum;
}

std::optional<double> StateProfile::occupiedShare() const {
  WarpClocks sum;
  for (const StallProfile& kernel : kernels) {
    if (!kernel.clocks) return std::nullopt;
    sum.occupied += kernel.clocks->occupied, sum.whole += kernel.clocks->whole;
  }
  return sum.whole > 0 ? std::optional(sum.occupied / sum.whole) : std::nullopt;
}

const StateProfile* ProfileFile::find(const std::string& source) const {
  auto at = std::find_if(states.begin(), states.end(), [&](const StateProfile& s) { return s.source == source; });
  return at == states.end() ? nullptr : &*at;
}

std::string writeProfiles(const ProfileFile& f) {
  nlohmann::ordered_json j;
  j["profiles"] = kVersion;
  j["target"] = f.target;
  j["date"] = f.date;
  j["program"] = f.program;
  j["device"] = f.device;
  j["driver"] = f.driver;
  j["compiler"] = f.compiler;
  for (const auto& [key, said] : {std::pair("tool", &f.tool), std::pair("how", &f.how)}) {
    j[key] = said->english();
    if (!said->id().empty()) j[std::string(key) + "_words"] = process::wordsOf(*said);
  }
  for (const StallReasonRow& row : stallReasons()) j["reasons"].push_back(row.name);
  std::string text = j.dump(1);
  text.resize(text.size() - 2);  // without "\n}"
  text += ",\n \"states\": [";
  for (std::size_t s = 0; s < f.states.size(); ++s) {
    nlohmann::ordered_json state = {{"source", f.states[s].source}, {"label", f.states[s].label}};
    for (const StallProfile& p : f.states[s].kernels) {
      json code = json::array();
      for (const InstructionStalls& i : p.instructions) code.push_back(rowOf(i));
      state["kernels"].push_back({{"kernel", p.kernel}, {"code", std::move(code)}});
    }
    text += (s ? ",\n  " : "\n  ") + state.dump(-1, ' ', false, json::error_handler_t::replace);
  }
  return text + "\n ]\n}\n";
}

Result<ProfileFile> readProfiles(const std::string& text, const std::string& name) {
  const json j = json::parse(text, nullptr, false);
  try {
    const double version = j.at("profiles");  // which any number of a file fits in
    if (version > kVersion)
      return fail("NewerVersion", message("{} was recorded by a newer program", name), Forbids::Input);
    if (version < kVersion) {
      return fail("OlderVersion",
                  message("{} was recorded by an older program, which didn't tell programs of one text apart", name),
                  Forbids::Input);
    }
    ProfileFile f;
    f.target = j.at("target");
    f.date = j.at("date");
    f.program = j.at("program");
    f.device = j.at("device");
    f.driver = j.at("driver");
    f.compiler = j.at("compiler");
    f.tool = process::messageOf(j.at("tool"), j, "tool_words");
    f.how = process::messageOf(j.at("how"), j, "how_words");
    std::vector<StallReason> reasons;
    for (const json& word : j.at("reasons"))
      reasons.push_back(stallReasonOf(word.get<std::string>()).value_or(StallReason::kUnknown));
    for (const json& s : j.at("states")) {
      StateProfile state{s.at("source"), s.at("label"), {}};
      for (const json& k : s.at("kernels")) {
        StallProfile p;
        p.kernel = k.at("kernel");
        for (const json& row : k.at("code")) p.instructions.push_back(instructionOf(row, reasons));
        state.kernels.push_back(std::move(p));
      }
      f.states.push_back(std::move(state));
    }
    return f;
  } catch (const std::exception& e) {  // of the JSON, or a reason that the list doesn't have
    return fail("ParseError", message("{} is no file of profiles: {}", name, e.what()), Forbids::Input);
  }
}

std::filesystem::path profileFolder() {
  const auto folder = process::userFolder("XDG_DATA_HOME", ".local/share");
  return folder ? *folder / "profiles" : std::filesystem::path();
}

std::string profileFileName(const std::string& source, const std::string& device) {
  std::string slug;
  for (char c : device) slug += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return source + "_" + slug + ".json";
}

}  // namespace loom::profile
