/* Prints one row of `src/python/offsets.rs` for the CPython whose headers it is compiled with (3.8 to 3.12; later
 * versions carry their own table). All rows were printed with:
 *
 *   for v in 3.8.18 3.9.18 3.10.13 3.11.7 3.12.1; do
 *     h=$(pyenv root)/versions/$v/include/python${v%.*}
 *     gcc -w -DPy_BUILD_CORE -UHAVE_STD_ATOMIC -I$h -I$h/internal print.c -o /tmp/print && /tmp/print
 *   done
 *
 * A field that a version does not have is `NONE`.
 */
#include <Python.h>
#include <frameobject.h>
#include <stddef.h>
#include <stdio.h>
#if PY_VERSION_HEX >= 0x03090000
#include "pycore_interp.h"
#include "pycore_runtime.h"
#endif
#include "pycore_pystate.h"
#if PY_VERSION_HEX >= 0x030b0000
#include "pycore_frame.h"
#endif

#define ROW(name, type, field) printf("    " name ": %zu,\n", offsetof(type, field))
#define VALUE(name, value) printf("    " name ": %zu,\n", (size_t)(value))
#define NONE(name) printf("    " name ": NONE,\n")

int main(void) {
    printf("const PYTHON_3_%d: Offsets = Offsets {\n", PY_MINOR_VERSION);
    ROW("interpreters_head", _PyRuntimeState, interpreters.head);
    ROW("interpreter_next", PyInterpreterState, next);
#if PY_VERSION_HEX >= 0x030b0000
    ROW("threads_head", PyInterpreterState, threads.head);
#else
    ROW("threads_head", PyInterpreterState, tstate_head);
#endif
    ROW("thread_next", PyThreadState, next);
    ROW("thread_interpreter", PyThreadState, interp);
    ROW("thread_id", PyThreadState, thread_id);
#if PY_VERSION_HEX >= 0x030b0000
    ROW("native_thread_id", PyThreadState, native_thread_id);
    ROW("thread_frame", PyThreadState, cframe);
    ROW("c_frame_current", _PyCFrame, current_frame);
    ROW("thread_chunk", PyThreadState, datastack_chunk);
    ROW("chunk_top", PyThreadState, datastack_top);
    ROW("frame_previous", _PyInterpreterFrame, previous);
    ROW("frame_code", _PyInterpreterFrame, f_code);
    ROW("frame_instruction", _PyInterpreterFrame, prev_instr);
    ROW("frame_owner", _PyInterpreterFrame, owner);
    NONE("frame_generator");
#else
    NONE("native_thread_id");
    ROW("thread_frame", PyThreadState, frame);
    NONE("c_frame_current");
    NONE("thread_chunk");
    NONE("chunk_top");
    ROW("frame_previous", PyFrameObject, f_back);
    ROW("frame_code", PyFrameObject, f_code);
    ROW("frame_instruction", PyFrameObject, f_lasti);
    NONE("frame_owner");
    ROW("frame_generator", PyFrameObject, f_gen);
#endif
#if PY_VERSION_HEX >= 0x030b0000 && PY_VERSION_HEX < 0x030c0000
    ROW("frame_is_entry", _PyInterpreterFrame, is_entry);
#else
    NONE("frame_is_entry");
#endif
#if PY_VERSION_HEX >= 0x030b0000
    NONE("frame_state");
    VALUE("frame_runs", 0);
#elif PY_VERSION_HEX >= 0x030a0000
    ROW("frame_state", PyFrameObject, f_state);
    VALUE("frame_runs", FRAME_EXECUTING);
#else
    ROW("frame_state", PyFrameObject, f_executing);
    VALUE("frame_runs", 1);
#endif
    ROW("code_file", PyCodeObject, co_filename);
    ROW("code_name", PyCodeObject, co_name);
#if PY_VERSION_HEX >= 0x030b0000
    ROW("code_qualified_name", PyCodeObject, co_qualname);
#else
    NONE("code_qualified_name");
#endif
#if PY_VERSION_HEX >= 0x030a0000
    ROW("code_lines", PyCodeObject, co_linetable);
#else
    ROW("code_lines", PyCodeObject, co_lnotab);
#endif
    ROW("code_first_line", PyCodeObject, co_firstlineno);
#if PY_VERSION_HEX >= 0x030c0000
    printf("    code_frame: FrameSize::Whole(%zu),\n", offsetof(PyCodeObject, co_framesize));
#elif PY_VERSION_HEX >= 0x030b0000
    printf("    code_frame: FrameSize::Sum { fixed: %zu, variables: %zu, values: %zu },\n", (size_t)FRAME_SPECIALS_SIZE,
           offsetof(PyCodeObject, co_nlocalsplus), offsetof(PyCodeObject, co_stacksize));
#else
    printf("    code_frame: FrameSize::Unknown,\n");
#endif
#if PY_VERSION_HEX >= 0x030b0000
    ROW("code_instructions", PyCodeObject, co_code_adaptive);
#else
    NONE("code_instructions");
#endif
#if PY_VERSION_HEX >= 0x030b0000
    NONE("code_bytes");
    NONE("code_kept_frame");
#else
    ROW("code_bytes", PyCodeObject, co_code);
    ROW("code_kept_frame", PyCodeObject, co_zombieframe);
#endif
    VALUE("ascii_size", sizeof(PyASCIIObject));
    ROW("string_state", PyASCIIObject, state);
    ROW("bytes_start", PyBytesObject, ob_sval);
#if PY_VERSION_HEX >= 0x03090000
    printf("    collecting: CollectorPlace::Interpreter(%zu),\n", offsetof(PyInterpreterState, gc.collecting));
#else
    printf("    collecting: CollectorPlace::Runtime(%zu),\n", offsetof(_PyRuntimeState, gc.collecting));
#endif
#if PY_VERSION_HEX >= 0x030c0000
    printf("    lock: LockPlace::Interpreter { pointer: %zu, locked: %zu, holder: %zu },\n",
           offsetof(PyInterpreterState, ceval.gil), offsetof(struct _gil_runtime_state, locked),
           offsetof(struct _gil_runtime_state, last_holder));
#else
    printf("    lock: LockPlace::Runtime { current: %zu },\n", offsetof(_PyRuntimeState, gilstate.tstate_current));
#endif
    printf("};\n");
    printf("// chunk data %zu, sizeof thread %zu, sizeof frame %zu, sizeof code %zu\n",
#if PY_VERSION_HEX >= 0x030b0000
           offsetof(_PyStackChunk, data), sizeof(PyThreadState), sizeof(_PyInterpreterFrame),
#else
           (size_t)0, sizeof(PyThreadState), sizeof(PyFrameObject),
#endif
           sizeof(PyCodeObject));
    return 0;
}
