import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;

/** `Twin split|sleep [SECONDS]`: the Java twin of split.c and nap.c; the log is described in truth.h. */
public final class Twin {
    static final Map<String, Double> entries = new LinkedHashMap<>();
    static volatile int result = 1;

    static double wall, queued;

    static double queuedNow() throws Exception {
        return Long.parseLong(Files.readString(Path.of("/proc/thread-self/schedstat")).split(" ")[1]) / 1e9;
    }

    /** Both at one moment: a thread that lost its CPU between the two reads them again. */
    static void mark() throws Exception {
        do {
            queued = queuedNow();
            wall = System.nanoTime() / 1e9;
        } while (queued != queuedNow());
    }

    static void note(String kind, String name, double seconds) {
        entries.merge("\"" + kind + "\": \"" + name + "\"", seconds, Double::sum);
    }

    /** What was not queued is the phase's own: nothing else is in it. */
    static double phase(String leaf) throws Exception {
        double beganWall = wall, beganQueued = queued;
        mark();
        double own = wall - beganWall - (queued - beganQueued);
        note("leaf", "runnable", queued - beganQueued);
        note("leaf", leaf, own);
        return own;
    }

    static void heavy() {
        int x = result;
        for (int i = 0; i < 7_000_000; i++) x = x * 1103515245 + 12345 ^ x >>> 7;
        result = x;
    }

    static void light() {
        int x = result;
        for (int i = 0; i < 3_000_000; i++) x = x * 1103515245 + 12345 ^ x >>> 7;
        result = x;
    }

    /** Compiled first: while they are interpreted, no profiler of native code can tell one function from the other. */
    static void split(double seconds) throws Exception {
        for (int i = 0; i < 3; i++) {
            heavy();
            light();
        }
        phase("on-cpu");
        for (int i = 0; i < seconds * 60; i++) {
            heavy();
            note("function", "heavy", phase("on-cpu"));
            light();
            note("function", "light", phase("on-cpu"));
        }
    }

    /** Keeping the log computes, at first for milliseconds, while its classes are loaded: that is no sleep. */
    static void sleep(double seconds) throws Exception {
        for (int i = 0; i < 20; i++) phase("on-cpu");
        for (int i = 0; i < 10; i++) {
            Thread.sleep((long) (seconds * 100));
            phase("blocked/sleep");
        }
    }

    public static void main(String[] arguments) throws Exception {
        double seconds = arguments.length > 1 ? Double.parseDouble(arguments[1]) : 1;
        double began = System.nanoTime() / 1e9;
        mark();
        if (arguments[0].equals("split")) split(seconds);
        else sleep(seconds);
        String thread = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName().toString();
        StringBuilder log = new StringBuilder();
        log.append(String.format("{\"wall\": %.9f, \"thread\": %s}\n", System.nanoTime() / 1e9 - began, thread));
        entries.forEach((name, value) ->
            log.append(String.format("{%s, \"seconds\": %.9f, \"thread\": %s}\n", name, value, thread)));
        String path = System.getenv("SLOWPATH_TRUTH");
        if (path != null) Files.writeString(Path.of(path), log, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
