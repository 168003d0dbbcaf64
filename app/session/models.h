#pragma once

#include <map>
#include <memory>
#include <optional>

#include "app/session/compilations.h"
#include "app/session/predicted_time.h"
#include "app/session/results.h"
#include "app/session/state_model.h"

namespace loom::session {

/// The cost models of the states of the open target (lesson, document or function), for the device of `ModelDevice`. A
/// state is the program after some steps of its schedule, given by its index in the history. Each model is made in the
/// background, and can be made again with more detail once the state is compiled: a `ModelBasis` is the source alone
/// (kSource), also the registers and spills of the compiled kernel (kResources), or also its machine code
/// (kMachineCode). Where nothing else is said, functions must be called from the UI thread.
class Models {
 public:
  /// The object keeps references to all arguments, which must outlive it.
  Models(const Options& options, Jobs& jobs, Tools& tools, ModelDevice& device, Programs& programs,
         Compilations& compilations, const Results& results)
      : options_(options),
        jobs_(jobs),
        tools_(tools),
        device_(device),
        programs_(programs),
        compilations_(compilations),
        results_(results) {}

  /// Returns the most detailed model of a state made so far; null if there is none. If the result is made from less
  /// than `basis`, this call starts making a model in the background: with that basis if the state is compiled by now,
  /// else from the source alone. Whoever waits for `basis` calls this again in each frame; nothing here has the state
  /// compiled.
  std::shared_ptr<const StateModel> of(int node, ModelBasis basis = ModelBasis::kResources);
  /// Returns whether a state has a model that will not become more detailed: it is made from the machine code, or there
  /// will be no machine code. With `ask`, this call does what `of` does with the basis kMachineCode; whoever waits for
  /// the result calls this again in each frame.
  bool isFinal(int node, bool ask = true);
  /// Returns the predicted time of a state, in µs. Returns nothing if the state is no kernel, if it has several
  /// kernels, of which the model describes only the largest, and until the model is final, since a prediction from
  /// machine code may be several times that from the program as written. `ask` as for `isFinal`.
  std::optional<double> modelledTime(int node, bool ask = true);
  /// Returns the predicted time, in µs, of a state without a measured result, as `modelledTime` does. Returns nothing
  /// if the state has a result, and if `Results::areFromAnotherDevice`, since the prediction would then be listed among
  /// times of another device.
  std::optional<double> prediction(int node, bool ask = true);

  /// Returns the model of a compiled program on the device with these figures; if they are an error, the model has no
  /// times. With the basis kMachineCode, the function disassembles `binary` (StateModel::sassProblem says why if that
  /// fails); else only its registers and spills count. Never null. Only the thread of `Queue::kModels` may call this.
  std::shared_ptr<const StateModel> modelOfBinary(const Result<model::Device>& figures,
                                                  std::shared_ptr<const document::KernelText> text,
                                                  const compile::Binary& binary, ModelBasis basis);
  /// Returns the predicted time, with the registers, of a compiled program by its machine code; nothing if the machine
  /// code can't be modelled or `figures` is an error. Only the thread of `Queue::kModels` may call this.
  std::optional<CompiledTime> compiledEstimate(const Result<model::Device>& figures, const document::KernelText& kernel,
                                               const compile::Binary& binary);
  /// Compiles a program for `architecture` and returns the time that its machine code is predicted to take on `device`,
  /// given by name; nothing if the program hasn't a single kernel, or can't be compiled or modelled. Only the thread of
  /// `Queue::kProposals` may call this; it waits for the threads that compile and model.
  std::optional<CompiledTime> compiledTime(const document::KernelText& kernel, const std::string& device,
                                           const std::string& architecture);

  /// Compiles a program for `architecture` and returns the model of its machine code on `device`, given by name; that
  /// of the program as written if it can't be compiled. Null if the target is closed or its history replaced meanwhile,
  /// or if compiling is cancelled again and again. `kernel` must not be null. Only the thread of `Queue::kSearch` may
  /// call this; it waits for the threads that compile and model.
  std::shared_ptr<const StateModel> compiledModel(std::shared_ptr<const document::KernelText> kernel,
                                                  const std::string& device, const std::string& architecture);

  /// Drops all models.
  void reset();

 private:
  /// The models of one state: its program, the basis of the model that is being made, and the most detailed model made
  /// so far (null: none).
  struct Modelled {
    std::shared_ptr<const Program> from;
    ModelBasis asked = ModelBasis::kSource;
    std::shared_ptr<const StateModel> made;
  };

  /// Has a program compiled on the thread for that, and waits for it; nothing if the job is dropped there, because the
  /// target is closed or its history replaced, or cancelled again and again.
  std::optional<Result<compile::Binary>> compiled(const document::KernelText& kernel, const std::string& architecture);
  void want(int node, ModelBasis basis);
  std::shared_ptr<const StateModel> known(int node) const;
  bool saysAll(int node, const StateModel& made) const;

  const Options& options_;
  Jobs& jobs_;
  Tools& tools_;
  ModelDevice& device_;
  Programs& programs_;
  Compilations& compilations_;
  const Results& results_;
  std::map<int, Modelled> models_;
};

/// Returns whether the program has a single kernel, so that the model of its kernel describes all of it.
bool isOneKernel(const Program& program);

}  // namespace loom::session
