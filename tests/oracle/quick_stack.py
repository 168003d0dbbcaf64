"""Makes `inspect.stack` quick for TVM: call `install()`.

TVM's decorators ask for the whole stack whenever a function is parsed, and Python then looks for the module and the whole
source of each frame: that was most of the time of a case. Here a frame has its line, which is what TVM looks at.
"""

import inspect
import linecache
import sys


def stack(context=1):
    """What `inspect.stack(1)` returns: a FrameInfo for each frame, the caller's first, with the line that it is at, or
    None where its file has no source."""
    frame, frames = sys._getframe(1), []
    while frame:
        file = frame.f_code.co_filename
        linecache.checkcache(file)
        line = linecache.getline(file, frame.f_lineno) if context else ""
        frames.append(inspect.FrameInfo(frame, file, frame.f_lineno, frame.f_code.co_name, [line] if line else None, 0))
        frame = frame.f_back
    return frames


def install():
    inspect.stack = stack
