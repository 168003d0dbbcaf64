#include "core/profile/ncu_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace loom::profile {

namespace {

using std::string_view;

constexpr string_view kNotIssued = " (Not Issued)";

// "12,345.67"; nothing for another text or a negative number.
std::optional<double> clocksIn(string_view field) {
  std::string digits;
  std::ranges::copy_if(field, std::back_inserter(digits), [](char c) { return c != ','; });
  double value = 0;
  const char* end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data(), end, value);
  return read.ec == std::errc() && read.ptr == end && value >= 0 ? std::optional(value) : std::nullopt;
}

struct Columns {
  std::size_t address = 0, source = 0, samples = 0, notIssued = 0, executed = 0;
  struct Reason {
    std::size_t column;
    StallReason reason;
    bool notIssued;
  };
  std::vector<Reason> reasons;
  std::size_t count = 0;
};

class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  Result<std::vector<StallProfile>> read(const std::vector<CsvRecord>& records) {
    std::vector<StallProfile> all;
    std::size_t at = 0;
    while (at < records.size()) {
      if (!begins(records[at])) {
        ++at;
        continue;
      }
      const CsvRecord& name = records[at++];
      if (name.fields.size() < 2 || name.fields[1].empty()) return damaged(name, message("the kernel has no name"));
      // What a program under ncu prints may come between any two lines.
      while (at < records.size() && !records[at].quoted) ++at;
      if (at == records.size()) return damaged(name, message("the text ends after the kernel's name"));
      auto columns = columnsOf(records[at]);
      if (!columns) return Failure(columns.error());
      ++at;
      StallProfile profile;
      profile.kernel = name.fields[1];
      std::vector<const CsvRecord*> rows;
      for (; at < records.size() && !begins(records[at]); ++at)
        if (records[at].quoted) rows.push_back(&records[at]);
      if (auto filled = fill(profile, *columns, rows); !filled) return Failure(filled.error());
      if (all.empty() || !(all.back() == profile)) all.push_back(std::move(profile));
    }
    if (all.empty()) {
      return fail("ParseError",
                  message("{} holds no kernel of ncu's source page, as `ncu --import REPORT --page source --csv "
                          "--print-source sass` prints it",
                          file_),
                  Forbids::Input);
    }
    return all;
  }

 private:
  static bool begins(const CsvRecord& r) { return r.quoted && r.fields.front() == "Kernel Name"; }

  Failure damaged(const CsvRecord& r, Message what) const {
    auto failure = fail("ParseError", std::move(what), Forbids::Input);
    failure.value().place = {file_, r.line, 0, ""};
    return failure;
  }

  Result<Columns> columnsOf(const CsvRecord& head) const {
    Columns c;
    c.count = head.fields.size();
    const std::size_t none = c.count;
    c.address = c.source = c.samples = c.notIssued = c.executed = none;
    for (std::size_t i = 0; i < head.fields.size(); ++i) {
      const string_view name = head.fields[i];
      if (name == "Address") c.address = i;
      if (name == "Source") c.source = i;
      if (name == "Warp Stall Sampling (All Samples)" || (name == "# Samples" && c.samples == none)) c.samples = i;
      if (name == "Warp Stall Sampling (Not-issued Samples)") c.notIssued = i;
      if (name == "Instructions Executed") c.executed = i;
      if (!name.starts_with("stall_")) continue;
      string_view reason = name.substr(6);
      const bool notIssued = reason.ends_with(kNotIssued);
      if (notIssued) reason.remove_suffix(kNotIssued.size());
      // A reason that has no row is among what the samples are more than the reasons.
      if (auto known = stallReasonOf(reason)) c.reasons.push_back({i, *known, notIssued});
    }
    if (c.address == none || c.source == none || c.executed == none)
      return damaged(head, message("the kernel's table has no columns Address, Source and Instructions Executed"));
    if (c.samples == none || c.reasons.empty())
      return damaged(head,
                     message("the kernel's table has no samples of stalls: ncu --section SourceCounters takes them"));
    return c;
  }

  // "0x7f213b7a01a0"; "-" and "" for nothing counted.
  static std::optional<std::int64_t> numberIn(string_view field, int base) {
    if (field.empty() || field == "-") return 0;
    if (base == 16) {
      if (!field.starts_with("0x")) return std::nullopt;
      field.remove_prefix(2);
    }
    std::string digits;
    for (char ch : field)
      if (ch != ',') digits += ch;  // 1,024
    std::int64_t value = 0;
    auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    const bool whole = read.ec == std::errc() && read.ptr == digits.data() + digits.size() && value >= 0;
    return whole ? std::optional(value) : std::nullopt;
  }

  // Single blanks, and addresses of the kernel as offsets in it.
  static std::string textOf(string_view source, std::int64_t base, std::int64_t size) {
    std::string out;
    for (std::size_t at = 0; at < source.size();) {
      if (source[at] == ' ' || source[at] == '\t') {
        ++at;
        continue;
      }
      const std::size_t end = std::min(source.find_first_of(" \t", at), source.size());
      string_view word = source.substr(at, end - at);
      at = end;
      if (!out.empty()) out += ' ';
      std::int64_t address = 0;
      if (word.starts_with("0x")) {
        auto read = std::from_chars(word.data() + 2, word.data() + word.size(), address, 16);
        const string_view rest(read.ptr, std::size_t(word.data() + word.size() - read.ptr));
        // Immediates have 32 bits; code lies above them.
        if (read.ec == std::errc() && base > 0xffffffffLL && address >= base && address <= base + size) {
          out += fmt::format("`({:#x}){}", address - base, rest);
          continue;
        }
      }
      out += word;
    }
    return out;
  }

  Result<void> fill(StallProfile& profile, const Columns& c, const std::vector<const CsvRecord*>& rows) const {
    if (rows.empty())
      return fail("ParseError", message("{} holds no instruction of {}", file_, profile.kernel), Forbids::Input);
    std::vector<std::int64_t> addresses;
    for (const CsvRecord* r : rows) {
      if (r->fields.size() != c.count)
        return damaged(*r, message("a row of {} fields where the head has {}", r->fields.size(), c.count));
      const auto address = numberIn(r->fields[c.address], 16);
      if (!address) return damaged(*r, message("\"{}\" is no address", r->fields[c.address]));
      if (!addresses.empty() && *address <= addresses.back()) return damaged(*r, message("addresses don't ascend"));
      addresses.push_back(*address);
    }
    const std::int64_t base = addresses.front(), size = addresses.back() - base + 16;
    for (std::size_t n = 0; n < rows.size(); ++n) {
      const CsvRecord& r = *rows[n];
      InstructionStalls i;
      i.offset = addresses[n] - base;
      i.text = textOf(r.fields[c.source], base, size);
      if (auto counted = count(r, c, i); !counted) return counted;
      profile.instructions.push_back(std::move(i));
    }
    return {};
  }

  Result<void> count(const CsvRecord& r, const Columns& c, InstructionStalls& i) const {
    auto number = [&](std::size_t column) -> Result<std::int64_t> {
      auto value = numberIn(r.fields[column], 10);
      if (!value) return damaged(r, message("\"{}\" is no count", r.fields[column]));
      return *value;
    };
    auto executed = number(c.executed), samples = number(c.samples);
    if (!executed) return Failure(executed.error());
    if (!samples) return Failure(samples.error());
    i.executed = *executed;
    for (const Columns::Reason& reason : c.reasons) {
      auto value = number(reason.column);
      if (!value) return Failure(value.error());
      i.stalls.add(reason.reason, reason.notIssued ? 0 : *value, reason.notIssued ? *value : 0);
    }
    if (i.stalls.samples > *samples) {
      return damaged(r, message("its reasons add up to {} samples of {}", i.stalls.samples, *samples));
    }
    std::int64_t unissued = i.stalls.notIssued;
    if (c.notIssued < c.count) {
      auto all = number(c.notIssued);
      if (!all) return Failure(all.error());
      unissued = std::max(unissued, *all);
    }
    i.stalls.add(StallReason::kUnknown, *samples - i.stalls.samples, unissued - i.stalls.notIssued);
    return {};
  }

  const std::string& file_;
};

}  // namespace

Result<std::vector<CsvRecord>> readCsv(const std::string& text) {
  std::vector<CsvRecord> records;
  int line = 1;
  for (std::size_t at = 0; at < text.size();) {
    CsvRecord record;
    record.line = line;
    record.quoted = text[at] == '"';
    for (bool more = true; more;) {
      std::string field;
      if (at < text.size() && text[at] == '"') {
        for (++at;; ++at) {
          if (at == text.size()) {
            auto failure = fail("ParseError", message("a quoted field never ends"), Forbids::Input);
            failure.value().place.line = record.line;
            return failure;
          }
          if (text[at] == '"' && (at + 1 == text.size() || text[at + 1] != '"')) break;
          if (text[at] == '"') ++at;
          line += text[at] == '\n';
          field += text[at];
        }
        ++at;
      }
      while (at < text.size() && text[at] != ',' && text[at] != '\n') field += text[at++];
      if (field.ends_with('\r')) field.pop_back();
      record.fields.push_back(std::move(field));
      more = at < text.size() && text[at] == ',';
      ++at;  // the comma, or the end of the line
    }
    ++line;
    records.push_back(std::move(record));
  }
  return records;
}

Result<std::vector<StallProfile>> readNcuCsv(const std::string& text, const std::string& file) {
  auto records = readCsv(text);
  if (!records) {
    records.error().place.file = file;
    return Failure(records.error());
  }
  return Reader(file).read(*records);
}

std::vector<LaunchClocks> readNcuClocks(const std::string& text) {
  const auto records = readCsv(text);
  if (!records) return {};
  const auto columnOf = [](const CsvRecord& head, string_view name) {
    return std::size_t(std::ranges::find(head.fields, name) - head.fields.begin());
  };
  const auto head = std::ranges::find_if(
      *records, [&](const CsvRecord& r) { return r.quoted && columnOf(r, "Kernel Name") < r.fields.size(); });
  if (head == records->end()) return {};
  const std::size_t name = columnOf(*head, "Kernel Name"), occupied = columnOf(*head, kOccupiedMetric),
                    whole = columnOf(*head, kWholeMetric);
  std::vector<LaunchClocks> launches;
  for (auto row = head + 1; row != records->end(); ++row) {  // the row of units has no numbers
    if (row->fields.size() != head->fields.size() || std::max(occupied, whole) >= row->fields.size()) continue;
    const auto with = clocksIn(row->fields[occupied]), all = clocksIn(row->fields[whole]);
    if (!with || !all || *all <= 0 || *with > *all) continue;
    const std::string& kernel = row->fields[name];
    launches.push_back({kernel.substr(0, kernel.find('(')), {*with, *all}});
  }
  return launches;
}

}  // namespace loom::profile
