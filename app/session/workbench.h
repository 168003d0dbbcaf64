#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/known_fragment.h"
#include "app/session/preview.h"
#include "app/session/program.h"
#include "app/session/replay.h"
#include "app/session/state_model.h"
#include "core/compile/compile.h"
#include "core/document/bench.h"
#include "core/document/matmul_function.h"
#include "core/document/stall_view.h"
#include "core/document/target.h"
#include "core/exec/check.h"
#include "core/model/timeline_position.h"
#include "core/tune/size_sweep.h"

namespace loom::tune {
struct CandidateStep;
}
namespace loom::workbench {

class DeviceCache;
struct Proposal;
struct Proposals;

struct Options {
  std::filesystem::path assets;      ///< lessons, intrinsics, recorded results
  document::BenchOptions bench;      ///< without a worker command nothing is measured
  std::filesystem::path dataFolder;  ///< for autosave; empty: none
  std::function<void()> wake;        ///< called from other threads when `poll` has something to take
  bool measureAll = false;           ///< measure every state as soon as its kernel is there
  bool check = false;                ///< execute the user's own states on the CPU, beside the original program
  ViewMakers views;                  ///< makes panels' views along with what they are of
  std::string model;                 ///< id or name of the device that the model answers for at first; empty: as none
                                     ///< is chosen
};

/// What became of a line that was applied.
struct ApplyOutcome {
  int node = 0;                  ///< the last state
  int made = 0;                  ///< new states
  std::optional<Error> refusal;  ///< of parsing or of a primitive
};

/// Something the user should know of.
struct Problem {
  enum class Kind { kRefused, kUnreadable, kNotAKernel, kWrong, kFailed, kRemark };
  Kind kind = Kind::kRefused;
  int node = 0;
  Error error;       ///< with the remedy, a step line, where there is one
  std::string line;  ///< what was refused
};

/// What undo takes back, or redo does again.
struct Change {
  enum class Kind { kGo, kApply, kRemove, kEdit, kMark };
  Kind kind = Kind::kGo;
  int number = 0;  ///< of the state: kGo: where it leads; kMark: whose name, note or pin; else applied, removed, edited
  std::string line;  ///< the state's step; empty for kGo, and for the start
  int states = 0;    ///< kRemove: that went with it, itself included
};

/// What the background is doing.
struct BackgroundStatus {
  enum class Kind { kNone, kOpening, kMeasuring, kSweeping, kCompiling };
  Kind kind = Kind::kNone;
  bool busy = false;  ///< measuring, compiling or opening
  bool cancellable = false;
  std::string text;  ///< "round 3 of 21", "compile 12"; from the worker
};

/// What a sweep over sizes is asked with, as typed.
struct SweepChoice {
  std::string sizes = "512..8192";  ///< as gpu::readSizes takes them
  std::string dtypes;               ///< "float16/float32", input and output; empty: the program's own
  std::vector<int> states;          ///< nodes; empty: the current one and the one that it is compared with
  friend bool operator==(const SweepChoice&, const SweepChoice&) = default;
};

/// The device that results come from, and the one that was chosen for the model.
struct DeviceStatus {
  bool known = false;                   ///< false until the first look is done
  std::optional<gpu::DeviceInfo> here;  ///< measured on
  std::string recorded, recordedDate;   ///< device and date of shipped results; empty: none
  std::optional<Error> problem;         ///< why there is no device here
  std::string chosen;                   ///< name of the model's, Workbench::chooseDevice; empty: none is
};

/// The model of the window. One thread (the UI's) calls everything; every call returns at once. `poll` brings in what
/// the background has finished; until then values are null or empty.
class Workbench {
 public:
  explicit Workbench(Options options);
  ~Workbench();
  Workbench(const Workbench&) = delete;
  Workbench& operator=(const Workbench&) = delete;

  /// As given. Constant: other threads may read them while the workbench lives.
  const Options& options() const;

  /// Takes in finished work. To be called once before each frame. True when anything changed.
  bool poll();
  /// Grows with every change that panels could show: for their caches.
  std::uint64_t revision() const;
  /// Grows with every newly opened target.
  std::uint64_t opened() const;

  // --- the target -----------------------------------------------------------------------------------------------
  /// A lesson's name, a document, a function's file. What is open stays until the new one is there.
  void open(const std::string& word);
  void openFunction(const std::string& text, const std::string& name);
  void openMatmul(const document::MatmulRequest& request);
  bool opening() const;
  /// Why the last `open` failed; none when it succeeded.
  const std::optional<Error>& openProblem() const;
  void dismissOpenProblem();
  /// Null until something is open.
  const document::Target* target() const;
  std::vector<std::string> lessonNames() const;
  /// The title of a lesson of `lessonNames`; empty for names that are none.
  document::Translated lessonTitle(const std::string& name) const;

  // --- where we are. Everything below up to "documents" requires a target. ---------------------------------------
  const document::History& history() const;
  int current() const;
  const document::Node& node() const;
  const schedule::Environment& environment() const;
  void select(int node);
  /// To the parent; to the child on the way that was last taken (else the first). False where there is none.
  bool stepBack();
  bool stepForward();
  /// The states from the start through the current one to where `stepForward` ends, in order.
  const std::vector<int>& way() const;
  /// Selects as a drag over the way does: all that is passed until the next `begins` is one action of undo.
  void dragTo(int node, bool begins);
  /// Index of the lesson's chapter that the state belongs to; -1 without a lesson or off its path.
  int chapter() const;
  /// Whether the state is one that leads to the end of a chapter.
  bool onLessonsWay() const;
  /// The end of the chapter before or after. False where there is none.
  bool previousChapter();
  /// Where `nextChapter` leads; -1: nowhere.
  int chapterAfter() const;
  bool nextChapter();
  void goToChapter(int chapter);
  bool playing() const;
  void setPlaying(bool playing);
  /// Advances playback by the time passed; to be called once a frame. True when a step was taken.
  bool advance(double seconds);

  /// Applies lines of a schedule at the current state; the new state becomes current. What was refused joins
  /// `problems`.
  ApplyOutcome apply(const std::string& lines);
  /// Works out in the background what putting `line` in place of the step of `node` would do to all that follows; the
  /// latest asked for wins. Whatever changes the tree ends it.
  void replay(int node, const std::string& line);
  /// Null while no step of the past is being edited.
  const Replay* replay() const;
  /// Takes it over; the edited state becomes current, and what broke joins `problems`. False where it isn't ready or is
  /// refused.
  bool applyReplay();
  /// Keeps what is there and makes a branch of the edited step and what follows it on the way, up to the first that no
  /// longer applies, which joins `problems`. The counterpart of the current state becomes current, else the branch's
  /// last. False as `applyReplay`.
  bool branchReplay();
  void endReplay();
  // --- a step in the making: what it would give is shown by all panels, and nothing of it is in the history ----------
  /// Works out in the background what the lines would make of the current state; the latest asked for wins. Nothing
  /// happens where the same lines are asked for again. Going to another state ends it.
  void preview(const std::string& lines);
  /// The same for a step that was tried, an edit of the past too: what that and the steps after it would give is told
  /// against the current state.
  void preview(const tune::CandidateStep& step);
  /// Null while no step is in the making.
  const Preview* preview() const;
  /// The times before and after the preview's step: by machine code where both have it, else as the programs are
  /// written. None where one of both is no kernel, and until it is there.
  std::optional<PredictedEffect> predictedEffect() const;
  /// Applies the lines of the preview, as `apply` does.
  ApplyOutcome applyPreview();
  /// Leaves no trace.
  void endPreview();
  /// What the panels show: the preview's values where they are there, else the current state's; while two states are
  /// compared, with the marks of what differs from the other.
  std::shared_ptr<const Program> shown() const;
  /// The model of what `shown` shows: the preview's, null until it is there; else `stateModel`.
  std::shared_ptr<const StateModel> shownModel(ModelBasis depth = ModelBasis::kResources) const;
  /// Whether `shownModel` is as deep as it gets: no machine code is on its way that it hasn't seen.
  bool shownIsFinal() const;
  /// The preview's program, else the state's, for panels that work theirs out in the background. `before`: what such a
  /// panel shows, null for nothing; while a preview is being worked out, that stays.
  std::shared_ptr<const Program> shownProgram(const std::shared_ptr<const Program>& before) const;

  /// What could be done at the current state to be faster: searched in the background since the first call at a state,
  /// given up when one leaves it, and kept. Null until something is there, and for ever where the state is no kernel or
  /// the model has no time for it.
  std::shared_ptr<const Proposals> proposals() const;
  /// Whether that is searched for at all, tens of seconds of a core at each state that one rests at; otherwise only
  /// what is known already is given. At first it is.
  void wantProposals(bool wanted);
  /// Searches the current state all the same.
  void wantProposalsHere();
  /// Whether nothing is known of the current state because nothing is searched.
  bool leavesProposals() const;
  /// Whether there will be more of them.
  bool searchesProposals() const;
  /// Of the search under way: programs tried, and how many there are; 0 of 0 without one.
  std::pair<int, int> proposalProgress() const;
  /// Applies a proposal of the current state, as one action; the last state becomes current. Another step of the past
  /// makes a branch there.
  ApplyOutcome apply(const Proposal& proposal);

  // --- two states side by side: all panels tell the current one against the other ---------------------------------
  /// The current state is told against `node`, wherever one goes, until `endComparison` or the state is removed.
  void compareWith(int node);
  void endComparison();
  /// −1: no states are compared.
  int comparedWith() const;
  /// What changes are told against: the state compared with, else the parent of the current one. −1: nothing.
  int reference() const;
  /// For a panel that shows both: while it lives, everything here answers as if the state compared with were the
  /// current one, told against the one that is, with no step in the making and nothing searched. What is done meanwhile
  /// is done there: the two states are exchanged first, and the rest of its life has no effect. Without a comparison,
  /// and compared with itself, it has none at all.
  /// Whether one lives: what is shown is the state compared with, marked against the current one.
  bool isOtherSide() const;
  class OtherSide {
   public:
    explicit OtherSide(Workbench& bench);
    ~OtherSide();
    OtherSide(const OtherSide&) = delete;
    OtherSide& operator=(const OtherSide&) = delete;

   private:
    Workbench& bench_;
  };
  /// Exchanges the state compared with and the current one.
  void exchangeCompared();

  /// Whatever was done to the tree and its marks, and where one went. Applied steps stay in the tree: undoing them goes
  /// back to where they were applied. Neighbouring steps of a walk are one action. None: nothing to undo (redo).
  std::optional<Change> undoable() const;
  std::optional<Change> redoable() const;
  void undo();
  void redo();
  void rename(int node, std::string name);
  void annotate(int node, std::string note);
  void pin(int node, bool pinned);
  void remove(int node);

  // --- derived values: null or nothing until they are there ---------------------------------------------------
  /// Asks for it when it is not there.
  std::shared_ptr<const Program> program(int node) const;
  const document::KnownTime* timed(int node) const;
  /// What was measured of it, here or where its result was recorded.
  const gpu::Outcome* measured(int node) const;
  /// What executing the state on the CPU, beside the original program, has shown, or why it can't be executed. Only the
  /// user's own states that weren't measured are; null for the others, and until it is known.
  const Result<exec::Report>* checked(int node) const;
  /// Whether that, or a measurement's comparison with the reference, has shown a wrong result.
  bool isWrong(int node) const;
  /// Registers, spills, shared memory; an error when it could not be compiled. Null: not yet, or no compiler here.
  const Result<compile::Binary>* compiled(int node) const;
  /// Why nothing can be compiled here; none while that isn't known.
  const std::optional<Error>& compilerProblem() const;
  /// What the model says, as deep as what is compiled allows, for the device of `modelDevice`. Asks for it when it is
  /// not there, or not as deep; until then null, or what there is.
  std::shared_ptr<const StateModel> stateModel(int node, ModelBasis depth = ModelBasis::kResources) const;
  /// Whether `stateModel` at kMachineCode is there and will say no more: made of the machine code, or without it
  /// because there is none. `ask`: has it made.
  bool modelIsFinal(int node, bool ask = true) const;
  /// The time that the model gives to a state that hasn't been run, µs. None for what is no kernel, for several kernels
  /// (the model is the largest one's), and until the model is final: machine code can make a multiple of what the
  /// program as written promises. None either where `timesAreFromAnotherDevice`: it would stand in one list with times
  /// of another device. `ask`: has it made.
  std::optional<double> prediction(int node, bool ask = true) const;
  /// The device that the model answers for; null until the first model is made. An error when it isn't described.
  std::shared_ptr<const Result<model::Device>> modelDevice() const;
  /// The devices that the model can answer for: those of assets/devices, and the GPU here where it has no file there.
  /// Empty until they are read.
  const std::vector<model::Device>& describedDevices() const;
  /// Their figures, for the background.
  const std::shared_ptr<DeviceCache>& described() const;
  /// Has small kernels show what the GPU here reaches, and where it keeps the elements of wmma's fragments; keeps it in
  /// the data folder, for later windows and the command line, and has all models made anew. Nothing happens without a
  /// GPU.
  void measureCeilings();
  struct Ceilings {
    bool underWay = false;
    int done = 0, of = 0;          ///< kernels
    std::optional<Error> problem;  ///< why the last time nothing came of it, or what came wasn't kept
    std::string measured;          ///< date of what is known of the GPU here by its own kernels; empty: nothing is
  };
  const Ceilings& ceilings() const;
  /// Has the model answer for one of `describedDevices`, by its name, until the window closes or another is chosen;
  /// empty: for the GPU here, else for the one that the recorded times are of. All models are made anew and programs
  /// are compiled for that device's architecture; times stay those of the device that they were taken on. Nothing
  /// happens for a name that isn't described.
  void chooseDevice(const std::string& name);
  /// Whether a time that was taken on `device` may stand against what the model says: it is the model's own.
  bool isModelled(const std::string& device) const;
  /// Whether times that are known of this program's states were taken on another device than the chosen one.
  bool timesAreFromAnotherDevice() const;
  /// The time that the model gives to a state, as `prediction` but whatever was measured.
  std::optional<double> modelledTime(int node, bool ask = true) const;
  /// The state's PTX, or why there is none. Asks for it when it is not there; null until then.
  const Result<PtxText>* ptx(int node) const;
  /// How a wmma fragment lies in the lanes' registers on the device that the model answers for. Asks for it when it is
  /// not there; null until then.
  std::shared_ptr<const FragmentLayout> fragment(const model::FragmentKind& kind) const;
  /// What the state's warps wait for, beside the machine code of its model. Asks for both when they are not there; null
  /// until then.
  std::shared_ptr<const document::StallResult> stalls(int node) const;
  /// What samples stalls here, "ncu 2025.3.1.0", or why nothing does. Null while that isn't known.
  const Result<std::string>* stallSampler() const;
  /// Samples the state's stalls in the background, also where they are known. Nothing happens before its machine code
  /// is there.
  void sampleStalls(int node);
  const std::optional<document::VendorLine>& vendor() const;
  const std::optional<gpu::Matmul>& matmul() const;

  /// What the function's numbers are: the first choice is shown. One choice without numbers where it takes none.
  std::vector<document::SizeChoice> sizeChoices() const;
  /// "n = 1000, 1024; alpha = 0.5": everything is derived anew at the first of these. Errors of document::Sizes; then
  /// nothing changes.
  Result<void> nameSizes(const std::string& text);
  const DeviceStatus& device() const;
  const BackgroundStatus& activity() const;
  /// Measures states (all of the tree when empty), what is known already only with `again`.
  void measure(std::vector<int> nodes, bool again = false);
  void cancel();
  // --- the same steps at other sizes ------------------------------------------------------------------------------
  /// Replays, compiles, predicts and, where there is a device, measures the states at each size, in the background.
  /// Nothing happens before the device is known. Ends the sweep before.
  void sweep(tune::SweepRequest request);
  /// What is there of the last one, also while it runs. Null before the first, and once the target or its past change.
  const tune::Sweep* sweep() const;
  /// Gives up what hasn't finished; what is there stays.
  void endSweep();
  const SweepChoice& sweepChoice() const;
  void chooseSweep(SweepChoice choice);
  const std::vector<Problem>& problems() const;
  /// Forgets refusals.
  void clearProblems();

  // --- selection of loops, blocks and buffers, shared by all panels ---------------------------------------------
  const std::vector<ir::Id>& selected() const;
  void selectIds(std::vector<ir::Id> ids);
  bool isSelected(ir::Id id) const;
  /// Whom Thread binding and Iteration space look at, by number, x fastest; a panel brings it into its state's bounds.
  struct ThreadChoice {
    std::int64_t block = 0, thread = 0;
    friend bool operator==(const ThreadChoice&, const ThreadChoice&) = default;
  };
  const ThreadChoice& chosenThread() const;
  void chooseThread(const ThreadChoice& choice);
  /// A line of the current state's CUDA text, from 1, with what it is about; the ids are selected too.
  void selectCudaLine(int line, std::vector<ir::Id> ids);
  /// 0: none, or the state has changed since.
  int selectedCudaLine() const;

  // --- the moment in a block's life that is played or scrubbed; panels that know how follow it ---------------------
  /// Null while none is shown, or the state has changed since. Doesn't grow `revision`: it changes with every frame.
  const model::TimelinePosition* moment() const;
  void showMoment(model::TimelinePosition moment);
  void endMoment();

  // --- documents ------------------------------------------------------------------------------------------------
  bool modified() const;
  /// Whether somebody else has written the document's file since it was opened or saved here: asks the file system.
  bool fileChanged() const;
  /// Where `save` writes; none before the first `saveAs`.
  std::optional<std::filesystem::path> file() const;
  void save();
  void saveAs(const std::filesystem::path& file);
  /// Writes an export of the current state (kinds of document::exportKinds; no device is needed for the texts).
  void exportTo(const std::string& kind, const std::filesystem::path& file);
  /// The last file that was written or could not be, for the status line; grows `revision`.
  struct Written {
    std::filesystem::path file;
    std::optional<Error> problem;
  };
  const std::optional<Written>& written() const;
  /// A document that a crashed session left; opened by `recover`, dropped by `discardRecovery`. After `leaveRecovery`
  /// the next session finds it again.
  const std::optional<std::filesystem::path>& recovery() const;
  void recover();
  void discardRecovery();
  void leaveRecovery();

 private:
  void findRecovery();
  void endAutosave();

  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace loom::workbench
