#include "app/window/dialogs/new_program.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <cstdlib>
#include <optional>
#include <utility>

#include "app/notation/quantity_text.h"
#include "app/ui/choice.h"
#include "app/ui/labelled_id.h"
#include "app/ui/markdown.h"
#include "app/ui/text.h"
#include "app/widgets/rule_text.h"
#include "app/window/dialogs/file_dialogs.h"
#include "app/window/dialogs/make_fast_words.h"
#include "app/window/host.h"
#include "app/window/words.h"
#include "core/document/matmul_function.h"
#include "core/document/target.h"
#include "core/tune/rules/plan.h"

namespace loom::window {

namespace words = text::window;

namespace {

// A label before its field, on its line.
void label(const char* text) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(text);
  ImGui::SameLine();
}

void chooseDtype(const Look& look, const char* id, std::string& value, std::span<const char* const> dtypes) {
  ImGui::SetNextItemWidth(look.px(120));
  if (beginCombo(id, value)) {
    for (const char* dtype : dtypes) {
      if (ImGui::Selectable(dtype, value == dtype)) value = dtype;
    }
    ImGui::EndCombo();
  }
}

// "2.15 GFLOP · X 2 MiB · Y 2 MiB · Z 4 MiB"
std::string sizeText(const document::MatmulRequest& r) {
  auto bytes = [](const std::string& dtype, std::int64_t rows, std::int64_t columns) {
    const std::size_t digit = dtype.find_first_of("0123456789");
    return notation::bytesText(double(rows) * double(columns) * std::atof(dtype.c_str() + digit) / 8);
  };
  return fmt::format("{} · X {} · Y {} · Z {}", notation::flopsText(2.0 * double(r.m) * double(r.n) * double(r.k)),
                     bytes(r.input, r.m, r.k), bytes(r.input, r.k, r.n), bytes(r.output, r.m, r.n));
}

// Below the fields: what the program is, or why there is none.
void drawOutcome(const Look& look, const std::optional<Error>& problem, const std::string& code,
                 const std::string& more) {
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(problem ? Tone::kError : Tone::kTextSecond));
  if (problem) {
    panels::drawWrapped(look.tell(problem->message), look.px(360));
  } else {
    ImGui::PushFont(look.fonts.code, kSecondarySize);
    ImGui::TextUnformatted(code.c_str());
    ImGui::PopFont();
    ImGui::TextUnformatted(more.c_str());
  }
  ImGui::PopStyleColor();
}

bool sizeField(const Look& look, const char* id, std::string& typed) {
  ImGui::SetNextItemWidth(look.px(92));
  return ImGui::InputText(id, &typed, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
}

}  // namespace

const document::ReadyFunction* NewProgram::chosen(const session::Session& model) const {
  for (const document::ReadyFunction& function : model.documents().readyFunctions()) {
    if (function.name == chosen_) return &function;
  }
  return nullptr;
}

void NewProgram::drawChoice(const Look& look, const session::Session& model) {
  auto title = [&](const document::ReadyFunction& function) {
    return function.name + " · " + document::in(function.title, text::codeOf(look.language));
  };
  const document::ReadyFunction* now = chosen(model);
  const std::string product = look.say(words::kMatrixProduct);
  ImGui::SetNextItemWidth(look.px(360));
  if (!beginCombo("###program", now ? title(*now) : product, ImGuiComboFlags_HeightLarge)) return;
  if (ImGui::Selectable(windowName(product.c_str(), "matmul").c_str(), now == nullptr)) chosen_.clear();
  for (const document::ReadyFunction& function : model.documents().readyFunctions()) {
    if (ImGui::Selectable(windowName(title(function).c_str(), function.name.c_str()).c_str(), &function == now))
      chosen_ = function.name;
  }
  ImGui::EndCombo();
}

NewProgram::Offer NewProgram::drawMatmul(const Look& look) {
  ImGui::TextUnformatted(look.say(words::kSizes));
  std::optional<Error> problem;
  Offer offer;
  const std::array<std::pair<const char*, std::int64_t*>, 3> sizes = {
      {{"M", &matmul_.m}, {"N", &matmul_.n}, {"K", &matmul_.k}}};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto& [name, value] = sizes[i];
    if (i == 0 && ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
    label(name);
    offer.entered |= sizeField(look, fmt::format("###{}", char(name[0] - 'A' + 'a')).c_str(), sizes_[i]);
    if (i + 1 < sizes.size()) ImGui::SameLine(0, look.px(14));
    if (auto read = document::readSizes(name, sizes_[i])) {
      *value = read->front();
      // Several make it a number that the function takes.
      matmul_.several[i] = read->size() > 1 ? *read : std::vector<std::int64_t>();
    } else if (!problem) {
      problem = read.error();
    }
  }
  label(look.say(words::kOperands));
  ImGui::SameLine(look.px(150));
  chooseDtype(look, "###input", matmul_.input, document::matmulInputs());
  label(look.say(words::kResult));
  ImGui::SameLine(look.px(150));
  chooseDtype(look, "###output", matmul_.output, document::matmulOutputs());
  auto transposed = [&](const char* name, const char* id, bool* value) {
    checkbox(look, windowName(fmt::format(fmt::runtime(look.say(words::kStoredTransposed)), name).c_str(), id).c_str(),
             value);
  };
  transposed("X", "transposex", &matmul_.transposeX);
  transposed("Y", "transposey", &matmul_.transposeY);
  if (!problem) {
    if (auto text = document::matmulFunction(matmul_)) {
      offer.text = std::move(*text);
    } else {
      problem = text.error();
    }
  }
  drawOutcome(look, problem,
              fmt::format("Z[i, j] += {} · {}", matmul_.transposeX ? "X[k, i]" : "X[i, k]",
                          matmul_.transposeY ? "Y[j, k]" : "Y[k, j]"),
              problem ? "" : sizeText(matmul_));
  offer.makes = !problem;
  return offer;
}

NewProgram::Offer NewProgram::drawFunction(const Look& look, const document::ReadyFunction& function) {
  ImGui::TextUnformatted(look.say(words::kSizes));
  std::optional<Error> problem;
  Offer offer;
  auto& typed = typed_[function.name];
  read_.clear();
  for (const document::ReadyFunction::Size& size : function.sizes) {
    std::string& text = typed.try_emplace(size.name, std::to_string(size.value)).first->second;
    label(size.name.c_str());
    ImGui::SameLine(look.px(50));
    offer.entered |= sizeField(look, ("###size" + size.name).c_str(), text);
    ImGui::SameLine();
    ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextSecond));
    ImGui::TextUnformatted(document::in(size.what, text::codeOf(look.language)).c_str());
    ImGui::PopStyleColor();
    if (auto read = document::readSize(size.name, text)) {
      read_[size.name] = *read;
    } else if (!problem) {
      problem = read.error();
    }
  }
  if (!problem) {
    if (auto text = document::textOf(function, read_)) {
      offer.text = std::move(*text);
    } else {
      problem = text.error();
    }
  }
  if (problem) drawOutcome(look, problem, "", "");
  offer.makes = !problem;
  return offer;
}

void NewProgram::create(session::Session& model, const document::ReadyFunction* function) {
  if (function) {
    model.documents().openReady(*function, read_);
  } else {
    model.documents().openMatmul(matmul_);
  }
  ImGui::CloseCurrentPopup();
}

// Asks in the background whether rules make a kernel of the program.
void NewProgram::followRules(const session::Session& model, const std::string& text) {
  if (auto ruled = askedRules_.take()) ruled_ = std::move(*ruled);
  const session::DeviceStatus& device = model.modelDevice().status();
  if (text.empty() || !device.known || model.documents().environment().intrinsics == nullptr || askedFor_ == text)
    return;
  askedFor_ = text;
  askedRules_.ask(
      [text, devices = model.modelDevice().cache(), name = session::modelledDevice(device),
       environment = model.documents().environment()]() -> Ruled {
        const auto figures = devices->of(name);
        if (!*figures) return {text, "", figures->error()};
        const auto target = document::openFunction(text, "new");
        if (!target) return {text, "", target.error()};
        const auto plan = tune::sketchOf(target->history.node(0).state, **figures, *environment.intrinsics);
        if (!plan) return {text, "", plan.error()};
        return {text, plan->sketches.front().name, std::nullopt, tune::whyNotByWarpgroups(*plan)};
      },
      [] { Host::wake(); });
}

bool NewProgram::draw(const Look& look, session::Session& model, bool closing) {
  if (!beginDialog(look, look.say(words::kNewMatmulTitle), "newmatmul")) return false;
  // A whole text in the clipboard is what the new program is, not a number of one of its fields.
  if (ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_V) && openPasted(model)) {
    ImGui::CloseCurrentPopup();
    endDialog();
    return false;
  }
  drawChoice(look, model);
  const document::ReadyFunction* function = chosen(model);
  const Offer offer = function ? drawFunction(look, *function) : drawMatmul(look);
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextFaint));
  panels::drawWrapped(look.say(words::kPasteProgram), look.px(360));
  ImGui::PopStyleColor();
  followRules(model, offer.text);
  const Ruled* ruled = ruled_ && ruled_->text == offer.text ? &*ruled_ : nullptr;
  ImGui::BeginDisabled(!offer.makes);
  ImGui::BeginDisabled(ruled != nullptr && ruled->problem);
  const bool fast = dialogButton(look, text::make_fast::kCreateFast, "createfast");
  ImGui::EndDisabled();
  if (offer.makes && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) {
    std::string tip = look.say(text::make_fast::kCommandHelp);
    if (ruled != nullptr)
      tip = ruled->problem
                ? look.tell(ruled->problem->message)
                : tip + "\n" + panels::say(look, text::make_fast::kSketch, panels::sketchText(look, ruled->sketch));
    if (ruled != nullptr && !ruled->notByWarpgroups.empty())
      tip += "\n" + panels::say(look, text::make_fast::kNotByWarpgroups, look.tell(ruled->notByWarpgroups));
    panels::showTip(look, tip);
  }
  ImGui::SameLine();
  if (dialogButton(look, words::kCreate, "create") || fast || (offer.entered && offer.makes)) create(model, function);
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (dialogButton(look, words::kCancel, "cancel") || ImGui::IsKeyPressed(ImGuiKey_Escape) || closing)
    ImGui::CloseCurrentPopup();
  endDialog();
  return fast;
}

}  // namespace loom::window
