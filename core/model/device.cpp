#include "core/model/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/model/probed.h"

namespace loom::model {
namespace {

constexpr std::array kNames = {
    "multiprocessors",
    "clock_mhz",
    "threads_per_multiprocessor",
    "blocks_per_multiprocessor",
    "threads_per_block",
    "registers_per_multiprocessor",
    "registers_per_block",
    "registers_per_thread",
    "register_unit",
    "sub_partitions",
    "shared_per_multiprocessor",
    "shared_per_block",
    "shared_unit",
    "shared_reserve",
    "shared_bytes_per_clock",
    "shared_gb_per_s_measured",
    "fp32_flop_per_clock",
    "memory_bytes",
    "memory_gb_per_s",
    "memory_gb_per_s_measured",
    "l2_bytes",
    "l2_gb_per_s",
    "fp32_tflops",
    "fp32_tflops_measured",
    "mma_f16_f32_tflops",
    "mma_f16_f16_tflops",
    "mma_bf16_f32_tflops",
    "mma_tf32_tflops",
    "mma_s8_tops",
    "mma_s4_tops",
    "mma_b1_tops",
    "wgmma_f16_f32_tflops",
    "wgmma_f16_f16_tflops",
    "wgmma_bf16_f32_tflops",
    "wgmma_tf32_tflops",
    "wgmma_s8_tops",
    "tensor_clock_mhz",
};
static_assert(kNames.size() == std::size_t(Quantity::TensorClockMhz) + 1);

Result<Gpcs> parseGpcs(const nlohmann::json& j, std::optional<double> multiprocessors, const std::string& origin) {
  Gpcs gpcs;
  double all = 0;
  if (j.contains("multiprocessors") && j["multiprocessors"].is_array()) {
    for (const auto& each : j["multiprocessors"]) {
      if (!each.is_number_integer() || each < 1 || each > 1024)
        return deviceFileError(origin, message("{} is {}", "gpcs", each.dump()));
      gpcs.multiprocessors.push_back(each);
      all += gpcs.multiprocessors.back();
    }
  }
  if (!multiprocessors || all != *multiprocessors)
    return deviceFileError(origin, message("GPCs have {} multiprocessors of {}", all, multiprocessors.value_or(0)));
  if (!j.contains("source") || !j["source"].is_string() || j["source"].get<std::string>().empty())
    return deviceFileError(origin, message("{} names no source", "gpcs"));
  gpcs.source = j["source"];
  return gpcs;
}

}  // namespace

Failure deviceFileError(const std::string& origin, const Message& what) {
  return fail("DeviceFileError", message("{}: {}", origin, what), Forbids::Input);
}

void applyProbeResults(Device& device, const ProbeResults& probed) {
  if (probed.device != device.name) return;
  for (const auto& [quantity, seen] : probed.figures) {
    auto [at, isNew] = device.figures.try_emplace(quantity, seen);
    if (isNew) continue;
    Figure& known = at->second;
    if (seen.value > known.value) {
      known = seen;
    } else {
      known.source += fmt::format("; {} reached {:g} on {}", probed.program, seen.value, probed.date);
    }
  }
}

const char* nameOf(Quantity quantity) { return kNames[std::size_t(quantity)]; }

std::optional<Quantity> quantityOf(const std::string& name) {
  auto at = std::find(kNames.begin(), kNames.end(), name);
  return at == kNames.end() ? std::nullopt : std::optional(Quantity(at - kNames.begin()));
}

std::string Device::architecture() const { return fmt::format("sm_{}{}{}", major, minor, major >= 9 ? "a" : ""); }

const Figure* Device::find(Quantity quantity) const {
  auto at = figures.find(quantity);
  return at == figures.end() ? nullptr : &at->second;
}

std::optional<double> Device::value(Quantity quantity) const {
  const Figure* f = find(quantity);
  return f ? std::optional(f->value) : std::nullopt;
}

Result<double> Device::need(Quantity quantity) const {
  if (const Figure* f = find(quantity)) return f->value;
  return fail("UnknownFigure", message("{} of {} isn't known", nameOf(quantity), name), Forbids::Environment);
}

Result<Device> parseDevice(const std::string& text, const std::string& origin) {
  auto j = nlohmann::json::parse(text, nullptr, false);
  if (!j.is_object()) return deviceFileError(origin, message("isn't a JSON object"));
  Device d;
  for (const auto& [key, value] : j.items()) {
    if (key == "id" && value.is_string()) {
      d.id = value;
    } else if (key == "name" && value.is_string()) {
      d.name = value;
    } else if (key == "compute_capability" && value.is_array() && value.size() == 2 && value[0].is_number_integer() &&
               value[1].is_number_integer()) {
      d.major = value[0];
      d.minor = value[1];
    } else if ((key != "figures" && key != "gpcs") || !value.is_object()) {
      return deviceFileError(origin, message("\"{}\" is unknown or of the wrong type", key));
    }
  }
  if (d.id.empty() || d.name.empty() || d.major < 1)
    return deviceFileError(origin, message("needs an id, a name and a compute_capability"));
  if (!j.contains("figures")) return d;
  for (const auto& [key, value] : j["figures"].items()) {
    const auto known = quantityOf(key);
    if (!known) return deviceFileError(origin, message("\"{}\" is no figure of a device", key));
    const Quantity quantity = *known;
    if (!value.is_object() || !value.contains("value") || !value["value"].is_number())
      return deviceFileError(origin, message("{} needs a number as its value", key));
    double number = value["value"];
    bool mayBeZero = quantity == Quantity::SharedReserve;
    if (!(mayBeZero ? number >= 0 : number > 0) || number > 1e15)
      return deviceFileError(origin, message("{} is {}", key, number));
    if (!value.contains("source") || !value["source"].is_string() || value["source"].get<std::string>().empty())
      return deviceFileError(origin, message("{} names no source", key));
    d.figures[quantity] = {number, value["source"]};
  }
  if (j.contains("gpcs")) {
    auto gpcs = parseGpcs(j["gpcs"], d.value(Quantity::Multiprocessors), origin);
    if (!gpcs) return Failure(gpcs.error());
    d.gpcs = std::move(*gpcs);
  }
  return d;
}

std::vector<FigureFile> figureFiles(const std::filesystem::path& assets, const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  std::error_code error;
  for (std::filesystem::directory_iterator it(assets / folder, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == ".json") paths.push_back(it->path());
  std::sort(paths.begin(), paths.end());
  std::vector<FigureFile> files;
  for (const auto& path : paths) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    files.push_back({path.stem().string(), "assets/" + folder + "/" + path.filename().string(), text.str()});
  }
  return files;
}

Result<std::vector<Device>> loadDevices(const std::filesystem::path& assets) {
  std::vector<Device> devices;
  for (const FigureFile& file : figureFiles(assets, "devices")) {
    auto device = parseDevice(file.text, file.origin);
    if (!device) return Failure(device.error());
    if (device->id != file.stem) return deviceFileError(file.origin, message("its id is \"{}\"", device->id));
    devices.push_back(std::move(*device));
  }
  auto probed = loadProbeResults(assets);
  if (!probed) return Failure(probed.error());
  for (Device& d : devices) {
    for (const ProbeResults& p : *probed) applyProbeResults(d, p);
  }
  return devices;
}

Result<Device> findDevice(const std::vector<Device>& devices, const std::string& wanted) {
  std::string known;
  for (const Device& d : devices) {
    if (d.id == wanted || d.name == wanted) return d;
    known += (known.empty() ? "" : ", ") + d.id;
  }
  return fail("NoSuchDevice", message("no device \"{}\" is described; there are {}", wanted, known), Forbids::Input);
}

}  // namespace loom::model
