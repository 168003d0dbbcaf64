#pragma once

#include "app/session/view_makers.h"

namespace loom::session {

/// Returns the functions that make, along with each program or model and on the same background thread, the views (data
/// to draw) that several panels show: loop nests, code, listings, memory, performance and the lanes of warp roles. For
/// a program whose differences from another one are marked (Program::reference), views of the loop nest and of the code
/// have these marks. A view that only one panel shows has no such function: session::ViewCache makes it when the panel
/// first requests it. The window puts the functions into the options of its session (Options::views, in the constructor
/// of Workbench, app/window/shell.cpp), whose background threads call them.
ViewMakers viewMakers();

}  // namespace loom::session
