// Started by slowpath in the target's own JVM: watches calls of chosen methods, and tells at the end which calls repeat and
// which take longer the more there is. The twin of watch.cjs. Its jar must stand in its own `Boot-Class-Path`, so that every
// class loader sees the one copy of it.
package slowpath.watch;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.Vector;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;

public final class Watch {
    // Of one method, the first calls are all watched; later on so many of those that there were.
    private static final int FIRST = 1000, PART = 500;
    // Calls that go by at most before the next is watched.
    private static final int LONGEST = 1 << 30;
    // Calls of one method that are looked at.
    private static final int CALLS = 8000;
    // A watched call stands on the stack three times; whoever goes deeper is left alone for so many calls.
    private static final int DEEPEST = 300, ALONE = 1000;
    // Values that are compared, for one method and in all: half a second.
    private static final long VALUES = 400_000, ALL_VALUES = 5_000_000;
    // How far data and objects are looked into.
    private static final int DEPTH = 8, STATE = 3;
    // How far data in the fields of an object is looked into, and how many fields.
    private static final int FIELD_DEPTH = 3, FIELDS = 50;
    // Inputs of one method whose results are objects.
    private static final int KEPT = 64;
    // A call that takes less, in nanoseconds, is not worth keeping the result of; so many calls tell.
    private static final int WORTH = 1000, TELLING = 64;
    // A result of fewer parts or letters is often the same by chance.
    private static final int LARGE = 8, LONG = 64;
    // Fewer letters at its ends do not tell whether a text is the one of before with more, or less, of it.
    private static final int ENDS = 64;
    // A container gets or loses up to so many from one call to the next, or a quarter.
    private static final int STEP = 8;
    // Calls and lengths that show whether time goes with them, and calls of about one length.
    private static final int COSTED = 24, LENGTHS = 3, ALIKE = 4;
    // Of all calls, where something holds for them but for a few.
    private static final double MOSTLY = 0.8;
    // Larger numbers are no places in anything.
    private static final long LARGEST = 1L << 53;
    // Methods that are told of.
    private static final int TOLD = 50;
    // Methods that are watched: the table of slowpath is shorter, but a line of it may stand for a whole class.
    private static final int MOST = 4096;
    // Counters of two methods do not share a line of a processor's cache, so that threads do not slow each other down.
    private static final int APART = 16;
    // Objects that are told apart; the collector has to go through them.
    private static final int OBJECTS = 100_000;
    // Bytes that calls are written down in, at most, and the part of the heap that is.
    private static final long ROOM = 32 << 20, PART_OF_HEAP = 32;
    // A text this long is told by the runtime's own hash, which it keeps, and by its ends.
    private static final int DOCUMENT = 1024;
    // So many calls of other threads go by before one of them takes the place of the thread whose calls are watched.
    private static final int PATIENCE = 64;

    // Calls until the next one that is watched, where a method's number times APART says. Methods count down themselves.
    public static final int[] next = new int[MOST * APART];

    private static final Watched[] watches = new Watched[MOST];
    private static final Map<String, Watched> byMethod = new HashMap<>();
    private static final AtomicLong left = new AtomicLong(ALL_VALUES);
    private static final AtomicLong room = new AtomicLong(Math.min(ROOM, Runtime.getRuntime().maxMemory() / PART_OF_HEAP));
    private static final ThreadLocal<Watcher> watchers = new ThreadLocal<>();
    private static long began;
    // What watching took of the thread that it took most of, which is nobody's call.
    private static volatile long spent;
    // Set at the end, so that what was found stays as it is while it is written.
    private static volatile boolean isOver;

    private Watch() {}

    public static void premain(String table, Instrumentation instrumentation) {
        try {
            // Where some class loaders would not find this class, no class is touched.
            if (Watch.class.getClassLoader() != null) return;
            Table read = new Table(new File(table));
            openContainers(instrumentation);
            began = System.nanoTime();
            // A name of its own: threads without are numbered, and the program's keep their numbers.
            Runtime.getRuntime().addShutdownHook(new Thread(null, new Report(read.folder), "slowpath"));
            instrumentation.addTransformer(new Transformer(read.rows));
        } catch (Throwable refused) {
            // The program runs unwatched.
        }
    }

    // Lets this class see what stands behind an unmodifiable or synchronized container: asking the container itself may call
    // the program or wait for a lock of it.
    private static void openContainers(Instrumentation instrumentation) {
        try {
            Set<Module> here = Collections.singleton(Watch.class.getModule());
            instrumentation.redefineModule(Object.class.getModule(), Collections.<Module>emptySet(),
                Collections.<String, Set<Module>>emptyMap(), Collections.singletonMap("java.util", here),
                Collections.<Class<?>>emptySet(), Collections.<Class<?>, List<Class<?>>>emptyMap());
        } catch (Throwable refused) {
            // Then such containers are objects like others.
        }
    }

    // The operator has the runtime make code for each place where texts are joined, which takes a tenth of a second.
    private static String joined(String... parts) {
        StringBuilder whole = new StringBuilder();
        for (String part : parts) whole.append(part);
        return whole.toString();
    }

    // What `at` is told instead of a method's place.
    private static final int LEFT = -1, FAILED = -2;

    // A call of a chosen method begins, given an object and its arguments; the answer is null when it just runs. Or such a call
    // ends, with a result or an exception, and is given back. All in one, and longer than 325 bytes: so the compiler does not
    // put it into each method that is watched, which would take it long and make their frames large.
    public static Object at(int place, Object value, Object other) {
        switch (place) {
            case LEFT: return left(value, (Call) other);
            case FAILED: return failed((Call) other);
            case -100: case -99: case -98: case -97: case -96: case -95: case -94: case -93: case -92: case -91: case -90:
            case -89: case -88: case -87: case -86: case -85: case -84: case -83: case -82: case -81: case -80: case -79:
            case -78: case -77: case -76: case -75: case -74: case -73: case -72: case -71: case -70: case -69: case -68:
            case -67: case -66: case -65: case -64: case -63: case -62: case -61: case -60: case -59: case -58: case -57:
            case -56: case -55: case -54: case -53: case -52: case -51: case -50: case -49: case -48: case -47: case -46:
            case -45: case -44: case -43: case -42: case -41: case -40: case -39: case -38: case -37: case -36: case -35:
            case -34: case -33: case -32: case -31: case -30: case -29: case -28: case -27: case -26: case -25: case -24:
            case -23: case -22: case -21: case -20: case -19: case -18: case -17: case -16: case -15: case -14: case -13:
            case -12: case -11: case -10: case -9: case -8: case -7: case -6: case -5: case -4: case -3:
                return null;
            default: return enter(place, value, (Object[]) other);
        }
    }

    private static Object enter(int place, Object self, Object[] given) {
        try {
            Watcher watcher = isOver ? null : watchers.get();
            if (watcher == null && !isOver) watchers.set(watcher = new Watcher());
            // Looking at objects may have a class loader of the program load their classes.
            if (watcher != null && !watcher.isLooking) return watches[place / APART].enter(watcher, self, given);
        } catch (Throwable refused) {
            // Too deep on the stack, or out of memory: the program must not notice.
        }
        // The method is called once more, which counts down, too.
        next[place] = isOver ? Integer.MAX_VALUE : 1;
        return null;
    }

    private static Object left(Object value, Call call) {
        try {
            if (call != null) call.end(value);
        } catch (Throwable refused) {
            // The same.
        }
        return null;
    }

    // Of a call that ends with an exception nothing is told.
    private static Object failed(Call call) {
        try {
            if (call != null) call.release();
        } catch (Throwable refused) {
            // The same.
        }
        return null;
    }

    // A line of slowpath's table: a method, or all of a class.
    private static final class Row {
        final String method, function, file;
        final int line;
        final boolean own;

        Row(String[] parts) {
            method = parts[1];
            line = Integer.parseInt(parts[2]);
            own = parts[3].equals("own");
            function = parts[4];
            file = parts[5];
        }

        boolean isWhole() {
            return method.equals("*");
        }
    }

    private static final class Table {
        final File folder;
        // By the class's name as class files have it.
        final Map<String, List<Row>> rows = new HashMap<>();

        Table(File file) throws IOException {
            try (BufferedReader lines = new BufferedReader(
                    new InputStreamReader(new FileInputStream(file), StandardCharsets.UTF_8))) {
                folder = new File(lines.readLine());
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    String[] parts = line.split("\t", -1);
                    if (parts.length < 6) continue;
                    List<Row> known = rows.get(parts[0]);
                    if (known == null) rows.put(parts[0], known = new ArrayList<>());
                    known.add(new Row(parts));
                }
            }
        }
    }

    private static final class Transformer implements ClassFileTransformer {
        private final Map<String, List<Row>> rows;

        Transformer(Map<String, List<Row>> rows) {
            this.rows = rows;
        }

        @Override
        public byte[] transform(
            ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes
        ) {
            try {
                List<Row> asked = name == null || loader == null || redefined != null ? null : rows.get(name);
                if (asked == null || !seesWatch(loader)) return null;
                return new Weaver(name, bytes).woven(asked);
            } catch (Throwable odd) {
                // A class file that is not as expected stays as it is.
                return null;
            }
        }

        // A loader may keep from its classes what it does not know.
        private static boolean seesWatch(ClassLoader loader) throws ClassNotFoundException {
            return loader == ClassLoader.getSystemClassLoader()
                || Class.forName(Watch.class.getName(), false, loader) == Watch.class;
        }
    }

    // A method in a class file: where its parts stand.
    private static final class Method {
        int start, end, access;
        String name, type;
        // Offsets of attributes; 0 where there are none.
        int code, parameters;
        // The lines it covers; 0 where nothing tells.
        int firstLine, lastLine;
        Row row;

        boolean isStatic() {
            return (access & Modifier.STATIC) != 0;
        }

        // The variables that the object and the arguments take.
        int slots(List<String> types) {
            int slots = isStatic() ? 0 : 1;
            for (String type : types) slots += Weaver.slots(type);
            return slots;
        }
    }

    // Puts counters in front of methods. A call of `m` that is watched goes through a private `m$slowpath`, which calls `m` once
    // more: so what it takes is told by the code that all calls run, and the frames of these, on which it depends how deep a
    // program gets that calls itself, are about as large as before. Class files are as the Java Virtual Machine Specification,
    // chapter 4, has them.
    private static final class Weaver {
        private static final String OWN = "slowpath/watch/Watch", AROUND = "$slowpath";
        private static final int SYNTHETIC = 0x1000, BRIDGE = 0x40;
        // Class files older than this have no frames.
        private static final int FRAMES_SINCE = 50;
        // A body that is no longer gives back what is there already, unless it calls.
        private static final int SHORT = 5;
        private static final int
            ACONST_NULL = 0x01, ICONST_1 = 0x04, SIPUSH = 0x11, LDC_W = 0x13, ILOAD = 0x15, LLOAD = 0x16, FLOAD = 0x17,
            DLOAD = 0x18, ALOAD = 0x19, IALOAD = 0x2e, ASTORE = 0x3a, IASTORE = 0x4f, AASTORE = 0x53, POP = 0x57,
            DUP = 0x59, DUP_X2 = 0x5b, DUP2 = 0x5c, SWAP = 0x5f, ISUB = 0x64, IFGE = 0x9c, IRETURN = 0xac, LRETURN = 0xad,
            FRETURN = 0xae, DRETURN = 0xaf, ARETURN = 0xb0, RETURN = 0xb1, GETSTATIC = 0xb2, INVOKEVIRTUAL = 0xb6,
            INVOKESPECIAL = 0xb7, INVOKESTATIC = 0xb8, INVOKEDYNAMIC = 0xba, ANEWARRAY = 0xbd, ATHROW = 0xbf;
        // How long the instructions are that count down.
        private static final int COUNTER = 15;
        // Counting has the counters twice, and a place in them each; watching has a number, an object, the array twice, a place
        // in it, and what is put there.
        private static final int MOST_TO_COUNT = 4, MOST_TO_WATCH = 7;
        // As constants and frames are told apart.
        private static final int NUMBER = 3, CLASS = 7, FIELD = 9, METHOD = 10, NAME_AND_TYPE = 12;
        private static final int OF_CLASS = 7, NOT_YET_MADE = 8, SAME_FRAME_AND_ITEM = 247, SAME_FRAME = 251, FULL_FRAME = 255;
        // The JVM does not compile longer methods.
        private static final int HUGE = 8000;
        // What comes before a body is shorter than this, and this for each argument.
        private static final int BEFORE = 40, BEFORE_ARGUMENT = 2;

        private final String className;
        private final byte[] bytes;
        private final int[] constants;
        private final int constantsEnd;
        private final ByteArrayOutputStream addedBytes = new ByteArrayOutputStream();
        private final DataOutputStream added = new DataOutputStream(addedBytes);
        private final Map<String, Integer> known = new HashMap<>();
        private int count;

        Weaver(String className, byte[] bytes) {
            this.className = className;
            this.bytes = bytes;
            count = u2(8);
            constants = new int[count];
            int at = 10;
            for (int one = 1; one < count; one += 1) {
                constants[one] = at;
                switch (bytes[at]) {
                    case 1: at += 3 + u2(at + 1); break;
                    case 3: case 4: case 9: case 10: case 11: case 12: case 17: case 18: at += 5; break;
                    // Of two places.
                    case 5: case 6: at += 9; one += 1; break;
                    case 7: case 8: case 16: case 19: case 20: at += 3; break;
                    case 15: at += 4; break;
                    default: throw new IllegalArgumentException();
                }
            }
            constantsEnd = at;
        }

        private int u2(int at) {
            return (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
        }

        private int u4(int at) {
            return u2(at) << 16 | u2(at + 2);
        }

        private String text(int constant) throws IOException {
            int at = constants[constant];
            if (bytes[at] != 1) throw new IllegalArgumentException();
            return new DataInputStream(new ByteArrayInputStream(bytes, at + 1, bytes.length - at - 1)).readUTF();
        }

        // Where what follows the attributes at an offset begins.
        private int pastAttributes(int at) {
            int number = u2(at);
            at += 2;
            for (int one = 0; one < number; one += 1) at += 6 + u4(at + 2);
            return at;
        }

        // Null when no method of it is chosen.
        byte[] woven(List<Row> rows) throws IOException {
            if ((u2(constantsEnd) & Modifier.INTERFACE) != 0) return null;
            int at = constantsEnd + 8 + 2 * u2(constantsEnd + 6);
            int fields = u2(at);
            at += 2;
            for (int one = 0; one < fields; one += 1) at = pastAttributes(at + 6);
            int methodsAt = at;
            List<Method> methods = methods(methodsAt);
            int methodsEnd = methods.isEmpty() ? at + 2 : methods.get(methods.size() - 1).end;
            choose(methods, rows);
            ByteArrayOutputStream body = new ByteArrayOutputStream(), around = new ByteArrayOutputStream();
            int chosen = 0;
            for (Method method : methods) {
                Watched watched = method.row == null ? null : watchedOf(method);
                if (watched == null) {
                    body.write(bytes, method.start, method.end - method.start);
                } else {
                    chosen += 1;
                    put(new DataOutputStream(body), method, watched.place);
                    putAround(new DataOutputStream(around), method, watched.place);
                }
            }
            if (chosen == 0 || count > 0xffff || methods.size() + chosen > 0xffff) return null;
            ByteArrayOutputStream whole = new ByteArrayOutputStream(bytes.length + bytes.length / 2);
            DataOutputStream out = new DataOutputStream(whole);
            out.write(bytes, 0, 8);
            out.writeShort(count);
            out.write(bytes, 10, constantsEnd - 10);
            addedBytes.writeTo(out);
            out.write(bytes, constantsEnd, methodsAt - constantsEnd);
            out.writeShort(methods.size() + chosen);
            body.writeTo(out);
            around.writeTo(out);
            out.write(bytes, methodsEnd, bytes.length - methodsEnd);
            return whole.toByteArray();
        }

        private List<Method> methods(int at) throws IOException {
            List<Method> found = new ArrayList<>();
            int number = u2(at);
            at += 2;
            for (int one = 0; one < number; one += 1) {
                Method method = new Method();
                method.start = at;
                method.access = u2(at);
                method.name = text(u2(at + 2));
                method.type = text(u2(at + 4));
                method.code = attribute(at + 6, "Code");
                method.parameters = attribute(at + 6, "MethodParameters");
                at = method.end = pastAttributes(at + 6);
                if (method.code != 0) readLines(method);
                found.add(method);
            }
            return found;
        }

        // Where an attribute of this name begins; 0 when there is none.
        private int attribute(int at, String name) throws IOException {
            int number = u2(at);
            at += 2;
            for (int one = 0; one < number; one += 1) {
                if (text(u2(at)).equals(name)) return at;
                at += 6 + u4(at + 2);
            }
            return 0;
        }

        // Where the attributes of a body begin.
        private int codeAttributes(Method method) {
            int handlers = method.code + 14 + u4(method.code + 10);
            return handlers + 2 + 8 * u2(handlers);
        }

        private void readLines(Method method) throws IOException {
            int lines = attribute(codeAttributes(method), "LineNumberTable");
            int number = lines == 0 ? 0 : u2(lines + 6);
            for (int one = 0; one < number; one += 1) {
                int line = u2(lines + 10 + 4 * one);
                method.firstLine = method.firstLine == 0 ? line : Math.min(method.firstLine, line);
                method.lastLine = Math.max(method.lastLine, line);
            }
        }

        private void choose(List<Method> methods, List<Row> rows) {
            List<Method> possible = new ArrayList<>();
            Set<String> names = new HashSet<>();
            for (Method method : methods) names.add(method.name);
            for (Method method : methods) {
                int never = Modifier.ABSTRACT | Modifier.NATIVE | SYNTHETIC | BRIDGE;
                if ((method.access & never) != 0 || method.code == 0 || method.name.startsWith("<")) continue;
                // An empty one is not called at all, as long as it is empty.
                if (method.name.equals("finalize") && method.type.equals("()V")) continue;
                if (!isTooLong(method) && !names.contains(method.name.concat(AROUND))) possible.add(method);
            }
            for (Row row : rows) if (!row.isWhole()) chooseNamed(possible, row);
            for (Row row : rows) {
                if (!row.isWhole()) continue;
                for (Method method : possible) if (method.row == null && !isShort(method)) method.row = row;
            }
        }

        // Whether its code would get longer than it may be, or than what is compiled.
        private boolean isTooLong(Method method) {
            int length = u4(method.code + 10), most = length + BEFORE + BEFORE_ARGUMENT * types(method.type).size();
            return most > 0xffff || length <= HUGE && most > HUGE;
        }

        // Of methods of one name, the one whose lines are nearest; all where nothing tells.
        private static void chooseNamed(List<Method> possible, Row row) {
            int least = Integer.MAX_VALUE;
            for (Method method : possible) if (method.name.equals(row.method)) least = Math.min(least, distance(method, row));
            for (Method method : possible) {
                if (method.name.equals(row.method) && distance(method, row) == least) method.row = row;
            }
        }

        private static int distance(Method method, Row row) {
            if (row.line == 0 || method.firstLine == 0) return 0;
            return Math.max(0, Math.max(method.firstLine - row.line, row.line - method.lastLine));
        }

        private boolean isShort(Method method) {
            int length = u4(method.code + 10);
            for (int at = method.code + 14; at < method.code + 14 + Math.min(length, SHORT); at += 1) {
                int one = bytes[at] & 0xff;
                if (one >= INVOKEVIRTUAL && one <= INVOKEDYNAMIC) return false;
            }
            return length <= SHORT;
        }

        // Null when there are too many.
        private Watched watchedOf(Method method) throws IOException {
            synchronized (byMethod) {
                // A class may be loaded by several loaders.
                String key = joined(className, " ", method.name, method.type);
                Watched watched = byMethod.get(key);
                if (watched == null && byMethod.size() < MOST) {
                    watched = new Watched(method, byMethod.size(), parameterNames(method));
                    watches[byMethod.size()] = watched;
                    byMethod.put(key, watched);
                }
                return watched;
            }
        }

        private String[] parameterNames(Method method) throws IOException {
            List<String> types = types(method.type);
            String[] names = new String[types.size() - 1];
            int table = attribute(codeAttributes(method), "LocalVariableTable"), slot = method.isStatic() ? 0 : 1;
            for (int argument = 0; argument < names.length; argument += 1) {
                for (int one = 0; table != 0 && one < u2(table + 6); one += 1) {
                    int at = table + 8 + 10 * one;
                    if (u2(at) == 0 && u2(at + 8) == slot) names[argument] = text(u2(at + 4));
                }
                int parameters = method.parameters;
                if (names[argument] == null && parameters != 0 && (bytes[parameters + 6] & 0xff) == names.length) {
                    int name = u2(parameters + 7 + 4 * argument);
                    if (name != 0) names[argument] = text(name);
                }
                if (names[argument] == null) names[argument] = joined("argument ", String.valueOf(argument + 1));
                slot += slots(types.get(argument));
            }
            return names;
        }

        // The types of the arguments, and that of the result.
        private static List<String> types(String descriptor) {
            List<String> found = new ArrayList<>();
            int at = 1;
            while (at < descriptor.length()) {
                int start = at;
                while (descriptor.charAt(at) == '[') at += 1;
                at = descriptor.charAt(at) == 'L' ? descriptor.indexOf(';', at) + 1 : at + 1;
                if (descriptor.charAt(start) != ')') found.add(descriptor.substring(start, at));
            }
            return found;
        }

        static int slots(String type) {
            return type.equals("J") || type.equals("D") ? 2 : type.equals("V") ? 0 : 1;
        }

        // Writes the method that counts.
        private void put(DataOutputStream out, Method method, int place) throws IOException {
            out.write(bytes, method.start, 6);
            int number = u2(method.start + 6), at = method.start + 8;
            out.writeShort(number);
            for (int one = 0; one < number; one += 1) {
                int length = 6 + u4(at + 2);
                if (at == method.code) {
                    putCode(out, method, counted(method, place));
                } else {
                    out.write(bytes, at, length);
                }
                at += length;
            }
        }

        private void putCode(DataOutputStream out, Method method, byte[] code) throws IOException {
            out.writeShort(u2(method.code));
            out.writeInt(code.length);
            out.write(code);
        }

        // Writes the method that watches a call.
        private void putAround(DataOutputStream out, Method method, int place) throws IOException {
            out.writeShort(Modifier.PRIVATE | SYNTHETIC | method.access & Modifier.STATIC);
            out.writeShort(utf8(method.name.concat(AROUND)));
            out.writeShort(utf8(method.type));
            out.writeShort(1);
            putCode(out, method, watched(method, place));
        }

        // The body as it was, behind a counter that leads to it, or to the method that watches.
        private byte[] counted(Method method, int place) throws IOException {
            List<String> types = types(method.type);
            String result = types.remove(types.size() - 1);
            ByteArrayOutputStream call = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(call);
            putCall(out, method, method.name.concat(AROUND), types);
            out.write(returning(result));
            // Tables of a switch begin at a multiple of 4, and stay there.
            int padding = -(COUNTER + call.size()) & 3, body = padding + COUNTER + call.size();
            // Two frames cannot describe one place.
            int gap = firstFrame(method) == 0 ? 4 : 0, shift = body + gap, length = u4(method.code + 10);
            ByteArrayOutputStream whole = new ByteArrayOutputStream();
            out = new DataOutputStream(whole);
            out.writeShort(Math.max(u2(method.code + 6), Math.max(MOST_TO_COUNT, method.slots(types))));
            out.writeShort(u2(method.code + 8));
            out.writeInt(shift + length);
            out.write(new byte[padding]);
            step(out, GETSTATIC, member(FIELD, OWN, "next", "[I"));
            putNumber(out, place);
            out.write(new byte[] {DUP2, IALOAD, ICONST_1, ISUB, DUP_X2, IASTORE});
            step(out, IFGE, 3 + call.size());
            call.writeTo(out);
            out.write(new byte[gap]);
            out.write(bytes, method.code + 14, length);
            int handlers = method.code + 14 + length;
            out.writeShort(u2(handlers));
            for (int at = handlers + 2; at < codeAttributes(method); at += 8) {
                for (int part = 0; part < 6; part += 2) out.writeShort(u2(at + part) + shift);
                out.writeShort(u2(at + 6));
            }
            putCodeAttributes(out, method, body, gap);
            return whole.toByteArray();
        }

        // The call once more, with a watch before and after.
        private byte[] watched(Method method, int place) throws IOException {
            List<String> types = types(method.type);
            String result = types.remove(types.size() - 1);
            ByteArrayOutputStream code = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(code);
            int slots = method.slots(types);
            putNumber(out, place);
            if (method.isStatic()) out.write(ACONST_NULL);
            else load(out, ALOAD, 0);
            putArguments(out, method, types);
            int told = member(METHOD, OWN, "at", "(ILjava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;");
            step(out, INVOKESTATIC, told);
            load(out, ASTORE, slots);
            int start = code.size();
            putCall(out, method, method.name, types);
            int end = code.size();
            if (result.equals("V")) out.write(ACONST_NULL);
            else out.write(slots(result) == 2 ? DUP2 : DUP);
            box(out, result);
            // The number below the result.
            putNumber(out, LEFT);
            out.write(SWAP);
            load(out, ALOAD, slots);
            step(out, INVOKESTATIC, told);
            out.write(POP);
            out.write(returning(result));
            int caught = code.size();
            putNumber(out, FAILED);
            out.write(ACONST_NULL);
            load(out, ALOAD, slots);
            step(out, INVOKESTATIC, told);
            out.write(POP);
            out.write(ATHROW);

            ByteArrayOutputStream whole = new ByteArrayOutputStream();
            out = new DataOutputStream(whole);
            out.writeShort(Math.max(MOST_TO_WATCH, slots));
            out.writeShort(slots + 1);
            out.writeInt(code.size());
            code.writeTo(out);
            for (int one : new int[] {1, start, end, caught, 0}) out.writeShort(one);
            boolean hasFrames = u2(6) >= FRAMES_SINCE;
            out.writeShort(hasFrames ? 1 : 0);
            if (hasFrames) putFrameOfCaught(out, slots, caught);
            return whole.toByteArray();
        }

        // Where exceptions are caught, all that is needed of the variables is the call that was watched.
        private void putFrameOfCaught(DataOutputStream out, int slots, int caught) throws IOException {
            out.writeShort(utf8("StackMapTable"));
            out.writeInt(2 + 3 + 2 + slots + 3 + 2 + 3);
            out.writeShort(1);
            step(out, FULL_FRAME, caught);
            out.writeShort(slots + 1);
            out.write(new byte[slots]);
            step(out, OF_CLASS, named("java/lang/Object"));
            out.writeShort(1);
            step(out, OF_CLASS, named("java/lang/Throwable"));
        }

        // Where the first frame of a body stands; less than 0 when there is none.
        private int firstFrame(Method method) throws IOException {
            int frames = attribute(codeAttributes(method), "StackMapTable");
            if (frames == 0 || u2(frames + 6) == 0) return -1;
            int tag = bytes[frames + 8] & 0xff;
            return tag < 64 ? tag : tag < 128 ? tag - 64 : u2(frames + 9);
        }

        private void putCodeAttributes(DataOutputStream out, Method method, int body, int gap) throws IOException {
            boolean hasFrames = u2(6) >= FRAMES_SINCE, hasLines = method.firstLine != 0;
            out.writeShort((hasFrames ? 1 : 0) + (hasLines ? 1 : 0));
            if (hasLines) {
                int lines = attribute(codeAttributes(method), "LineNumberTable"), number = u2(lines + 6);
                out.writeShort(u2(lines));
                out.writeInt(6 + 4 * number);
                out.writeShort(number + 1);
                out.writeShort(0);
                out.writeShort(method.firstLine);
                for (int one = 0; one < number; one += 1) {
                    out.writeShort(u2(lines + 8 + 4 * one) + body + gap);
                    out.writeShort(u2(lines + 10 + 4 * one));
                }
            }
            if (!hasFrames) return;
            ByteArrayOutputStream frames = new ByteArrayOutputStream();
            putFrames(new DataOutputStream(frames), method, body, gap);
            out.writeShort(utf8("StackMapTable"));
            out.writeInt(frames.size());
            frames.writeTo(out);
        }

        private void putFrames(DataOutputStream out, Method method, int body, int gap) throws IOException {
            int frames = attribute(codeAttributes(method), "StackMapTable"), number = frames == 0 ? 0 : u2(frames + 6);
            out.writeShort(number + 1);
            // The body begins with the arguments, as ever.
            step(out, SAME_FRAME, body);
            int at = frames + 8;
            for (int one = 0; one < number; one += 1) at = putFrame(out, at, one == 0 ? gap - 1 : 0, body + gap);
        }

        // Writes a frame that stands further on than it did; gives where the next one is.
        private int putFrame(DataOutputStream out, int at, int further, int shift) throws IOException {
            int tag = bytes[at] & 0xff;
            if (tag < 64) {
                step(out, SAME_FRAME, tag + further);
                return at + 1;
            }
            if (tag < 128) {
                step(out, SAME_FRAME_AND_ITEM, tag - 64 + further);
                return putTypes(out, at + 1, 1, shift);
            }
            step(out, tag, u2(at + 1) + further);
            if (tag == SAME_FRAME_AND_ITEM) return putTypes(out, at + 3, 1, shift);
            if (tag < FULL_FRAME) return putTypes(out, at + 3, Math.max(tag - SAME_FRAME, 0), shift);
            int locals = u2(at + 3);
            out.writeShort(locals);
            at = putTypes(out, at + 5, locals, shift);
            int items = u2(at);
            out.writeShort(items);
            return putTypes(out, at + 2, items, shift);
        }

        private int putTypes(DataOutputStream out, int at, int number, int shift) throws IOException {
            for (int one = 0; one < number; one += 1) {
                int tag = bytes[at];
                out.write(tag);
                at += 1;
                if (tag != OF_CLASS && tag != NOT_YET_MADE) continue;
                // An object that is not made yet is known by the place where it will be.
                out.writeShort(tag == OF_CLASS ? u2(at) : u2(at) + shift);
                at += 2;
            }
            return at;
        }

        private void putNumber(DataOutputStream out, int number) throws IOException {
            if (number <= Short.MAX_VALUE) step(out, SIPUSH, number);
            else step(out, LDC_W, constant(NUMBER, joined("int ", String.valueOf(number)), number));
        }

        // An instruction, or anything else of one byte, and two bytes that belong to it.
        private static void step(DataOutputStream out, int one, int two) throws IOException {
            out.write(one);
            out.writeShort(two);
        }

        private static void load(DataOutputStream out, int how, int slot) throws IOException {
            out.write(how);
            out.write(slot);
        }

        private static int loading(String type) {
            switch (type.charAt(0)) {
                case 'J': return LLOAD;
                case 'F': return FLOAD;
                case 'D': return DLOAD;
                case 'L': case '[': return ALOAD;
                default: return ILOAD;
            }
        }

        private static int returning(String type) {
            switch (type.charAt(0)) {
                case 'V': return RETURN;
                case 'J': return LRETURN;
                case 'F': return FRETURN;
                case 'D': return DRETURN;
                case 'L': case '[': return ARETURN;
                default: return IRETURN;
            }
        }

        // All arguments in an array of objects.
        private void putArguments(DataOutputStream out, Method method, List<String> types) throws IOException {
            step(out, SIPUSH, types.size());
            step(out, ANEWARRAY, named("java/lang/Object"));
            int slot = method.isStatic() ? 0 : 1;
            for (int argument = 0; argument < types.size(); argument += 1) {
                String type = types.get(argument);
                out.write(DUP);
                step(out, SIPUSH, argument);
                load(out, loading(type), slot);
                box(out, type);
                out.write(AASTORE);
                slot += slots(type);
            }
        }

        private void putCall(DataOutputStream out, Method method, String name, List<String> types) throws IOException {
            int slot = 0;
            if (!method.isStatic()) {
                load(out, ALOAD, 0);
                slot = 1;
            }
            for (String type : types) {
                load(out, loading(type), slot);
                slot += slots(type);
            }
            // Exactly this method, whatever overrides it.
            int body = member(METHOD, className, name, method.type);
            step(out, method.isStatic() ? INVOKESTATIC : INVOKESPECIAL, body);
        }

        private void box(DataOutputStream out, String type) throws IOException {
            String box;
            switch (type.charAt(0)) {
                case 'Z': box = "java/lang/Boolean"; break;
                case 'B': box = "java/lang/Byte"; break;
                case 'C': box = "java/lang/Character"; break;
                case 'S': box = "java/lang/Short"; break;
                case 'I': box = "java/lang/Integer"; break;
                case 'J': box = "java/lang/Long"; break;
                case 'F': box = "java/lang/Float"; break;
                case 'D': box = "java/lang/Double"; break;
                default: return;
            }
            step(out, INVOKESTATIC, member(METHOD, box, "valueOf", joined("(", type, ")L", box, ";")));
        }

        // Constants that are added, each once.
        private int utf8(String text) throws IOException {
            String key = joined("text ", text);
            Integer number = known.get(key);
            if (number != null) return number;
            added.write(1);
            added.writeUTF(text);
            known.put(key, count);
            return count++;
        }

        private int named(String name) throws IOException {
            return constant(CLASS, joined("class ", name), utf8(name));
        }

        private int member(int tag, String owner, String name, String type) throws IOException {
            int nameAt = utf8(name), typeAt = utf8(type);
            int both = constant(NAME_AND_TYPE, joined("name ", name, " ", type), nameAt << 16 | typeAt);
            int whole = named(owner) << 16 | both;
            return constant(tag, joined("member ", owner, " ", name, " ", type), whole);
        }

        private int constant(int tag, String key, int content) throws IOException {
            Integer number = known.get(key);
            if (number != null) return number;
            added.write(tag);
            if (tag == CLASS) added.writeShort(content);
            else added.writeInt(content);
            known.put(key, count);
            return count++;
        }
    }

    // What belongs to a thread.
    private static final class Watcher {
        private final WeakReference<Thread> thread = new WeakReference<>(Thread.currentThread());
        final Look look = new Look();
        long spent;
        boolean isLooking;

        boolean isAlive() {
            Thread found = thread.get();
            return found != null && found.isAlive();
        }

        void spend(long time) {
            spent += time;
            if (spent > Watch.spent) Watch.spent = spent;
        }
    }

    // What a class's objects are for who compares them.
    private static final class Kind {
        // Anything else is one thing of its own.
        static final int THING = 0;
        // Values are what they are.
        static final int NUMBER = 1, FRACTION = 2, LETTER = 3, LARGE_NUMBER = 4, TEXT = 5, TRUTH = 6, CONSTANT = 7, TYPE = 8,
            WRITTEN = 9;
        // Data is what it holds.
        static final int DATA = 10, NUMBERS = 10, ELEMENTS = 11, COLLECTION = 12, MAP = 13, BUILDER = 14, RECORD = 15,
            VECTOR = 16, CELL = 17;
        // What stands behind it tells whether it can be gone through.
        static final int WRAPPER = 18, SORTED = 19;

        // Containers that do not call the program when they are gone through, and take no lock.
        private static final String[] COLLECTIONS = {
            "ArrayList", "ArrayList$SubList", "LinkedList", "ArrayDeque", "PriorityQueue", "HashSet", "LinkedHashSet",
            "Arrays$ArrayList", "ImmutableCollections$List12", "ImmutableCollections$ListN", "ImmutableCollections$Set12",
            "ImmutableCollections$SetN", "Collections$EmptyList", "Collections$EmptySet", "Collections$SingletonList",
            "Collections$SingletonSet", "Collections$CopiesList", "RegularEnumSet", "JumboEnumSet", "HashMap$KeySet",
            "HashMap$Values", "LinkedHashMap$LinkedKeySet", "LinkedHashMap$LinkedValues",
            "concurrent.CopyOnWriteArrayList",
        };
        private static final String[] MAPS = {
            "HashMap", "LinkedHashMap", "TreeMap", "EnumMap", "ImmutableCollections$Map1", "ImmutableCollections$MapN",
            "Collections$EmptyMap", "Collections$SingletonMap", "concurrent.ConcurrentHashMap",
        };
        // Containers that stand before others, and the field that has the other.
        private static final String[][] WRAPPERS = {
            {"UnmodifiableCollection", "c"}, {"UnmodifiableSet", "c"}, {"UnmodifiableSortedSet", "c"},
            {"UnmodifiableNavigableSet", "c"}, {"UnmodifiableList", "c"}, {"UnmodifiableRandomAccessList", "c"},
            {"UnmodifiableSequencedCollection", "c"}, {"UnmodifiableSequencedSet", "c"}, {"UnmodifiableSequencedMap", "m"},
            {"UnmodifiableMap", "m"}, {"UnmodifiableSortedMap", "m"}, {"UnmodifiableNavigableMap", "m"},
            {"SynchronizedCollection", "c"}, {"SynchronizedSet", "c"}, {"SynchronizedSortedSet", "c"},
            {"SynchronizedNavigableSet", "c"}, {"SynchronizedList", "c"}, {"SynchronizedRandomAccessList", "c"},
            {"SynchronizedMap", "m"}, {"SynchronizedSortedMap", "m"}, {"SynchronizedNavigableMap", "m"},
        };

        private static final ClassValue<Kind> KINDS = new ClassValue<Kind>() {
            @Override
            protected Kind computeValue(Class<?> type) {
                return new Kind(type);
            }
        };

        final int form;
        private final Class<?> type;
        // Of a wrapper, where the rest is; of a vector, its elements and their number.
        private Field inside, number;
        // The fields of its objects, once they were asked for. Null when they cannot be seen.
        private Field[] fields;
        private boolean isAsked;

        private Kind(Class<?> type) {
            this.type = type;
            form = formOf(type);
        }

        static Kind of(Object value) {
            return KINDS.get(value.getClass());
        }

        private int formOf(Class<?> type) {
            if (type == String.class) return TEXT;
            if (type == Integer.class || type == Long.class || type == Short.class || type == Byte.class) return NUMBER;
            if (type == Double.class || type == Float.class) return FRACTION;
            if (type == Character.class) return LETTER;
            if (type == Boolean.class) return TRUTH;
            if (type == Class.class) return TYPE;
            if (type == BigInteger.class || type == BigDecimal.class) return LARGE_NUMBER;
            if (type.isArray()) return type.getComponentType().isPrimitive() ? NUMBERS : ELEMENTS;
            if (Enum.class.isAssignableFrom(type)) return CONSTANT;
            // What the program has made of a type of the runtime does as it likes.
            if (type.getModule() != Object.class.getModule()) return type.isRecord() && fields() != null ? RECORD : THING;
            return formInRuntime(type);
        }

        private int formInRuntime(Class<?> type) {
            if (type == StringBuilder.class) return BUILDER;
            if (type == UUID.class || type == URI.class || type == Locale.class || Path.class.isAssignableFrom(type)) {
                return WRITTEN;
            }
            if (TemporalAccessor.class.isAssignableFrom(type) || TemporalAmount.class.isAssignableFrom(type)) return WRITTEN;
            if (type == Pattern.class) return WRITTEN;
            if (type == Optional.class || type == AtomicInteger.class || type == AtomicLong.class
                    || type == AtomicBoolean.class || type == AtomicReference.class) {
                return CELL;
            }
            String name = type.getName();
            if (!name.startsWith("java.util.")) return THING;
            String rest = name.substring("java.util.".length());
            if (isAmong(COLLECTIONS, rest)) return COLLECTION;
            if (isAmong(MAPS, rest)) return MAP;
            try {
                return formBehind(type, rest);
            } catch (Throwable refused) {
                return THING;
            }
        }

        private int formBehind(Class<?> type, String name) throws ReflectiveOperationException {
            if (name.equals("Vector") || name.equals("Stack")) {
                inside = open(Vector.class, "elementData");
                number = open(Vector.class, "elementCount");
                return VECTOR;
            }
            if (name.equals("TreeSet")) {
                inside = open(type, "m");
                return SORTED;
            }
            for (String[] wrapper : WRAPPERS) {
                if (!name.equals("Collections$".concat(wrapper[0]))) continue;
                Class<?> owner = type;
                while (owner.getSuperclass() != Object.class) owner = owner.getSuperclass();
                inside = open(owner, wrapper[1]);
                return WRAPPER;
            }
            return THING;
        }

        private static Field open(Class<?> type, String name) throws ReflectiveOperationException {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field;
        }

        private static boolean isAmong(String[] names, String name) {
            for (String one : names) if (one.equals(name)) return true;
            return false;
        }

        // What stands behind a container, where that is data; else the value itself.
        private static Object behind(Object value) throws IllegalAccessException {
            Object inner = value;
            for (Kind kind = of(inner); kind.form == WRAPPER; kind = of(inner)) {
                inner = kind.inside.get(inner);
                if (inner == null) return value;
            }
            return isData(of(inner).formOf(inner)) ? inner : value;
        }

        // A part of a sorted set compares elements to tell where it ends.
        private int formOf(Object value) throws IllegalAccessException {
            return form != SORTED ? form : inside.get(value).getClass() == TreeMap.class ? COLLECTION : THING;
        }

        static boolean isValue(int form) {
            return form > THING && form < DATA;
        }

        static boolean isData(int form) {
            return form >= DATA && form < WRAPPER;
        }

        static boolean isText(int form) {
            return form == TEXT || isData(form);
        }

        static boolean isAsked(int form) {
            return form >= NUMBER && form <= TEXT || isData(form);
        }

        // Whether there is one object for all that are equal, or may be.
        static boolean isShared(int form) {
            return form >= NUMBER && form <= LETTER || form == TRUTH || form == CONSTANT || form == TYPE;
        }

        // Two threads that ask at once find the same.
        Field[] fields() {
            if (!isAsked) {
                try {
                    fields = readFields();
                } catch (Throwable refused) {
                    fields = null;
                }
                isAsked = true;
            }
            return fields;
        }

        private Field[] readFields() {
            // What a lambda has caught stays what it is.
            if (type.isHidden()) return new Field[0];
            List<Field> found = new ArrayList<>();
            for (Class<?> owner = type; owner != null; owner = owner.getSuperclass()) {
                ClassLoader loader = owner.getClassLoader();
                // Types of fields may have to be loaded: not where that waits for whoever loads something else.
                if (loader != null && !loader.isRegisteredAsParallelCapable()) return null;
                for (Field field : owner.getDeclaredFields()) {
                    if (Modifier.isStatic(field.getModifiers())) continue;
                    if (!field.trySetAccessible()) return null;
                    found.add(field);
                }
            }
            return found.toArray(new Field[0]);
        }
    }

    // Which object it is, as a number that no other has.
    private static final class Known extends WeakReference<Object> {
        private static final ReferenceQueue<Object> gone = new ReferenceQueue<>();
        private static Known[] table = new Known[1024];
        private static int size;
        private static long numbers;

        private final int hash;
        private final long number;
        private Known next;

        private Known(Object value, int hash, long number) {
            super(value, gone);
            this.hash = hash;
            this.number = number;
        }

        static synchronized long numberOf(Object value) {
            for (Reference<?> one = gone.poll(); one != null; one = gone.poll()) forget((Known) one);
            int hash = System.identityHashCode(value);
            for (Known one = table[hash & table.length - 1]; one != null; one = one.next) {
                if (one.hash == hash && one.refersTo(value)) return one.number;
            }
            numbers += 1;
            // Not known is not the same.
            if (size >= OBJECTS) return numbers;
            if (size >= table.length) enlarge();
            Known known = new Known(value, hash, numbers);
            known.next = table[hash & table.length - 1];
            table[hash & table.length - 1] = known;
            size += 1;
            return numbers;
        }

        private static void forget(Known known) {
            int at = known.hash & table.length - 1;
            Known before = null;
            for (Known one = table[at]; one != null; before = one, one = one.next) {
                if (one != known) continue;
                if (before == null) table[at] = one.next;
                else before.next = one.next;
                size -= 1;
                return;
            }
        }

        private static void enlarge() {
            Known[] larger = new Known[table.length * 4];
            for (Known first : table) {
                for (Known one = first, after; one != null; one = after) {
                    after = one.next;
                    one.next = larger[one.hash & larger.length - 1];
                    larger[one.hash & larger.length - 1] = one;
                }
            }
            table = larger;
        }
    }

    // Looks at values, without calling anything of the program.
    private static final class Look {
        private static final long START = 0x2545f49161c88647L, MIXED = 0x9e3779b97f4a7c15L, OF_TEXT = 0x100000001b3L;
        // How many letters or numbers in a row are looked at in the time of one value.
        private static final int ROW = 64;
        // How many values may still be looked at.
        long left;
        // A number for what was added since the start.
        long sum;
        // What was seen last: the value, or what stands behind it.
        private Object value;
        private Kind kind;
        private int form;

        void see(Object given) throws IllegalAccessException {
            value = given;
            if (given == null) {
                kind = null;
                form = Kind.TRUTH;
                return;
            }
            kind = Kind.of(given);
            form = kind.form;
            if (form >= Kind.WRAPPER) seeBehind();
        }

        private void seeBehind() throws IllegalAccessException {
            value = Kind.behind(value);
            kind = Kind.of(value);
            form = kind.formOf(value);
        }

        // Nothing of the program is kept from being collected.
        void forget() {
            value = null;
            kind = null;
        }

        void start() {
            sum = START;
        }

        void put(long number) {
            sum = (sum ^ number) * MIXED;
            sum ^= sum >>> 29;
        }

        void putText(CharSequence text) {
            int length = text.length();
            left -= length / ROW;
            put(length);
            boolean isDocument = length >= DOCUMENT && text instanceof String;
            int ends = isDocument ? DOCUMENT / 4 : length;
            long hash = isDocument ? text.hashCode() : 0;
            for (int at = 0; at < ends; at += 1) hash = (hash ^ text.charAt(at)) * OF_TEXT;
            for (int at = Math.max(length - ends, ends); at < length; at += 1) hash = (hash ^ text.charAt(at)) * OF_TEXT;
            put(hash);
        }

        private void putBytes(byte[] bytes) {
            left -= bytes.length / ROW;
            long hash = bytes.length;
            for (byte one : bytes) hash = (hash ^ one) * OF_TEXT;
            put(hash);
        }

        boolean putValue(Object given, int depth, int states) throws IllegalAccessException {
            see(given);
            return putSeen(depth, states);
        }

        // `states`: how many levels of objects are told by what they hold. Objects inside data are not told otherwise. False
        // when it is too much, or cannot be seen. Longer than what the compiler puts into its callers, which call each other.
        boolean putSeen(int depth, int states) throws IllegalAccessException {
            Object value = this.value;
            Kind kind = this.kind;
            int form = this.form;
            left -= 1;
            if (value == null) {
                put(-1);
                return true;
            }
            if (!Kind.isValue(form) && (left < 0 || depth == 0)) return false;
            put(form);
            switch (form) {
                case Kind.NUMBER: put(((Number) value).longValue()); return true;
                case Kind.FRACTION: put(Double.doubleToRawLongBits(((Number) value).doubleValue())); return true;
                case Kind.LETTER: put((Character) value); return true;
                case Kind.TRUTH: put((Boolean) value ? 1 : 0); return true;
                case Kind.TEXT: putText((String) value); return true;
                case Kind.TYPE: put(((Class<?>) value).getName().hashCode()); return true;
                case Kind.CONSTANT:
                    put(((Enum<?>) value).ordinal());
                    put(((Enum<?>) value).getDeclaringClass().getName().hashCode());
                    return true;
                case Kind.LARGE_NUMBER:
                    boolean isWhole = value instanceof BigInteger;
                    put(isWhole ? 0 : ((BigDecimal) value).scale());
                    putBytes((isWhole ? (BigInteger) value : ((BigDecimal) value).unscaledValue()).toByteArray());
                    return true;
                case Kind.WRITTEN:
                    put(value instanceof Pattern ? ((Pattern) value).flags() : 0);
                    putText(value.toString());
                    return true;
                case Kind.NUMBERS: return putNumbers(value);
                case Kind.ELEMENTS: return putElements((Object[]) value, ((Object[]) value).length, depth, states);
                case Kind.COLLECTION: return putCollection((Collection<?>) value, depth, states);
                case Kind.MAP: return putMap((Map<?, ?>) value, depth, states);
                case Kind.RECORD: return putFields(kind, value, depth, states);
                case Kind.CELL: return putValue(inCell(value), depth - 1, states);
                case Kind.VECTOR:
                    return putElements((Object[]) kind.inside.get(value), kind.number.getInt(value), depth, states);
                case Kind.BUILDER: putText((StringBuilder) value); return true;
                default:
                    if (states <= 0) return false;
                    put(value.getClass().getName().hashCode());
                    // Too deep to tell two apart that were made of the same input and are alike so far.
                    return states == 1 || putFields(kind, value, depth, states - 1);
            }
        }

        private static Object inCell(Object value) {
            if (value instanceof Optional) return ((Optional<?>) value).orElse(null);
            if (value instanceof AtomicBoolean) return ((AtomicBoolean) value).get();
            return value instanceof Number ? (Object) ((Number) value).longValue() : ((AtomicReference<?>) value).get();
        }

        private boolean putNumbers(Object array) {
            int length = Array.getLength(array);
            left -= length / ROW;
            if (left < 0) return false;
            put(length);
            long hash = 0;
            if (array instanceof byte[]) for (byte one : (byte[]) array) hash = (hash ^ one) * OF_TEXT;
            else if (array instanceof int[]) for (int one : (int[]) array) hash = (hash ^ one) * OF_TEXT;
            else if (array instanceof char[]) for (char one : (char[]) array) hash = (hash ^ one) * OF_TEXT;
            else if (array instanceof short[]) for (short one : (short[]) array) hash = (hash ^ one) * OF_TEXT;
            else if (array instanceof boolean[]) for (boolean one : (boolean[]) array) hash = (hash ^ (one ? 1 : 2)) * OF_TEXT;
            // The upper half of these would only ever change the upper half.
            else if (array instanceof long[]) for (long one : (long[]) array) put(one);
            else if (array instanceof double[]) for (double one : (double[]) array) put(Double.doubleToRawLongBits(one));
            else for (float one : (float[]) array) put(Float.floatToRawIntBits(one));
            put(hash);
            return true;
        }

        private boolean putElements(Object[] elements, int length, int depth, int states) throws IllegalAccessException {
            put(length);
            if (length > left) return false;
            for (int at = 0; at < length; at += 1) if (!putValue(elements[at], depth - 1, states)) return false;
            return true;
        }

        private boolean putCollection(Collection<?> values, int depth, int states) throws IllegalAccessException {
            int length = values.size();
            put(length);
            if (length > left) return false;
            for (Object value : values) if (left < 0 || !putValue(value, depth - 1, states)) return false;
            return true;
        }

        private boolean putMap(Map<?, ?> map, int depth, int states) throws IllegalAccessException {
            int length = map.size();
            put(length);
            if (length > left) return false;
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                if (left < 0 || !putValue(entry.getKey(), depth - 1, states)) return false;
                if (!putValue(entry.getValue(), depth - 1, states)) return false;
            }
            return true;
        }

        private boolean putFields(Kind kind, Object value, int depth, int states) throws IllegalAccessException {
            Field[] fields = kind.fields();
            if (fields == null) return false;
            left -= fields.length;
            if (left < 0) return false;
            for (Field field : fields) if (!putValue(field.get(value), depth - 1, states)) return false;
            return true;
        }

        // Its own fields: data by what it holds, or how much where that is too much. False when they cannot be seen.
        boolean putHeld(Object thing) throws IllegalAccessException {
            Field[] fields = Kind.of(thing).fields();
            if (fields == null) return false;
            for (int at = 0; at < Math.min(fields.length, FIELDS); at += 1) {
                left -= 1;
                if (left < 0) return false;
                see(fields[at].get(thing));
                if (!Kind.isValue(form) && !Kind.isData(form)) {
                    put(Known.numberOf(value));
                    continue;
                }
                int size = size();
                if (!putSeen(FIELD_DEPTH, 0)) put(size);
            }
            return true;
        }

        // How much a text or data holds that was seen; -1 where that says nothing.
        int size() throws IllegalAccessException {
            switch (form) {
                case Kind.TEXT: return ((String) value).length();
                case Kind.BUILDER: return ((StringBuilder) value).length();
                case Kind.NUMBERS: case Kind.ELEMENTS: return Array.getLength(value);
                case Kind.COLLECTION: return ((Collection<?>) value).size();
                case Kind.MAP: return ((Map<?, ?>) value).size();
                case Kind.VECTOR: return kind.number.getInt(value);
                default: return -1;
            }
        }
    }

    // What a call is given, as far as it tells two calls apart.
    private static final class Input {
        long key;
        // Where objects are all that is given: these, and what they hold.
        Object[] things;
        long state;
        boolean asked, isText, isEmpty;

        // Null when that is too much.
        static Input of(Look look, Object self, Object[] given) throws IllegalAccessException {
            Input input = new Input();
            List<Object> things = new ArrayList<>();
            if (self != null) things.add(self);
            boolean isAlone = true;
            look.start();
            for (Object value : given) {
                look.see(value);
                if (Kind.isValue(look.form) || Kind.isData(look.form)) {
                    isAlone = false;
                    input.isText |= Kind.isText(look.form);
                    input.asked |= value != null && Kind.isAsked(look.form);
                    if (!look.putSeen(DEPTH, 0)) return null;
                } else {
                    things.add(value);
                }
            }
            for (Object thing : things) look.put(Known.numberOf(thing));
            input.isEmpty = given.length == 0 && things.isEmpty();
            input.key = look.sum;
            if (isAlone && !things.isEmpty()) {
                input.things = things.toArray();
                if (!input.look(look)) return null;
                input.state = look.sum;
                look.put(input.key);
                input.key = look.sum;
            }
            return input;
        }

        private boolean look(Look look) throws IllegalAccessException {
            look.start();
            for (Object thing : things) if (!look.putHeld(thing)) return false;
            return true;
        }

        // Whether the objects that are all that was given hold what they held.
        boolean isUnchanged(Look look) throws IllegalAccessException {
            return things == null || look(look) && look.sum == state;
        }
    }

    // What inputs gave: numbers for both, and the result while the program has it.
    private static final class Results {
        private static final int BYTES = 24;
        private long[] inputs = new long[8], results = new long[8];
        private Reference<?>[] values = new Reference<?>[8];
        private int size;

        // Where an input is; less than 0 when it is not.
        int find(long input) {
            int at = place(input);
            return inputs[at] == input ? at : -1;
        }

        private int place(long input) {
            int at = (int) (input ^ input >>> 32) & inputs.length - 1;
            while (inputs[at] != 0 && inputs[at] != input) at = at + 1 & inputs.length - 1;
            return at;
        }

        void add(long input, long result, Reference<?> value) {
            if (size * 2 >= inputs.length && !enlarge()) return;
            int at = place(input);
            inputs[at] = input;
            results[at] = result;
            values[at] = value;
            size += 1;
        }

        private boolean enlarge() {
            if (room.addAndGet(-(long) inputs.length * BYTES) < 0) return false;
            long[] inputsBefore = inputs, resultsBefore = results;
            Reference<?>[] valuesBefore = values;
            inputs = new long[inputsBefore.length * 2];
            results = new long[inputs.length];
            values = new Reference<?>[inputs.length];
            for (int before = 0; before < inputsBefore.length; before += 1) {
                if (inputsBefore[before] == 0) continue;
                int at = place(inputsBefore[before]);
                inputs[at] = inputsBefore[before];
                results[at] = resultsBefore[before];
                values[at] = valuesBefore[before];
            }
            return true;
        }
    }

    // How much of something a call was given.
    private static final class Extents {
        static final byte NONE = 0, NUMBER = 1, OBJECT = 2, SIZED = 3, TEXT = 4, FORM = 7;
        // Whether it goes on from what the call before was given, or from what that one gave.
        static final byte AGAIN = 8;

        final byte[] kinds;
        final long[] amounts;
        private final Reference<?>[] objects;
        private final String[] firsts, lasts;
        // What the call before gave, and whether it was given to the next, when that could be told last.
        private Reference<?> result;
        private final boolean[] follows;

        Extents(int number) {
            kinds = new byte[number];
            amounts = new long[number];
            objects = new Reference<?>[number];
            firsts = new String[number];
            lasts = new String[number];
            follows = new boolean[number];
        }

        // `isNext`: no call went by unwatched since the one before.
        void note(Look look, Object self, Object[] given, boolean isNext) throws IllegalAccessException {
            for (int at = 0; at <= given.length; at += 1) {
                look.see(at == 0 ? self : given[at - 1]);
                if (isNext) follows[at] = isOwn(look.form) && result != null && result.refersTo(cast(look.value));
                if (look.form == Kind.NUMBER) {
                    long number = ((Number) look.value).longValue();
                    set(at, number > -LARGEST && number < LARGEST ? NUMBER : NONE, number);
                } else if (look.form == Kind.TEXT) {
                    noteText(at, (String) look.value);
                } else if (Kind.isValue(look.form)) {
                    set(at, NONE, 0);
                } else {
                    noteObject(at, look.value, look.size());
                }
            }
        }

        private void set(int at, int kind, long amount) {
            kinds[at] = (byte) kind;
            amounts[at] = amount;
        }

        // A text is known by its ends alone.
        private void noteText(int at, String text) {
            long before = amounts[at], length = text.length();
            boolean goesOn = (kinds[at] & FORM) == TEXT && Math.min(before, length) >= 2 * ENDS;
            if (goesOn && !follows[at]) {
                boolean more = text.startsWith(firsts[at]) && text.startsWith(lasts[at], (int) before - ENDS);
                goesOn = more || before > length && text.endsWith(lasts[at]);
            }
            set(at, goesOn ? TEXT | AGAIN : TEXT, length);
            boolean isLong = length >= 2 * ENDS;
            firsts[at] = isLong ? text.substring(0, ENDS) : null;
            lasts[at] = isLong ? text.substring(text.length() - ENDS) : null;
        }

        private void noteObject(int at, Object value, int size) {
            int kind = size < 0 ? OBJECT : SIZED;
            boolean isSame = (kinds[at] & FORM) == kind && objects[at].refersTo(cast(value));
            boolean goesOn = isSame || follows[at] && (kind == OBJECT || (kinds[at] & FORM) == kind);
            if (!isSame) objects[at] = new WeakReference<>(value);
            if (goesOn && kind == SIZED) {
                long most = Math.max(size, amounts[at]), least = Math.min(size, amounts[at]);
                goesOn = most - least <= Math.max(STEP, most / 4);
            }
            set(at, goesOn ? kind | AGAIN : kind, size);
        }

        // Who is given this goes on from the call that gave it.
        void noteResult(Look look) {
            result = isOwn(look.form) ? new WeakReference<>(look.value) : null;
        }

        // Small values are the same objects wherever they come from.
        private static boolean isOwn(int form) {
            return !Kind.isShared(form);
        }

        @SuppressWarnings("unchecked")
        private static <T> T cast(Object value) {
            return (T) value;
        }
    }

    // A call that is watched.
    private static final class Call {
        private final Watched watched;
        private final Watcher watcher;
        private final int depth;
        private final long weight;
        // Whether it is known how much it was given.
        private boolean isCosted;
        // Null when there is nothing to compare.
        private Input input;
        private long at, others;

        Call(Watched watched, Watcher watcher) {
            this.watched = watched;
            this.watcher = watcher;
            depth = watched.running;
            weight = watched.weight;
        }

        void begin(Object self, Object[] given, long entered) {
            Look look = watcher.look;
            long budget = look.left = Math.min(watched.left, left.get());
            watcher.isLooking = true;
            try {
                if (depth == 0) {
                    watched.last.note(look, self, given, weight == 1);
                    isCosted = true;
                }
                if (budget > 0 && watched.isCompared()) {
                    watched.calls += 1;
                    input = Input.of(look, self, given);
                }
            } catch (Throwable refused) {
                // Another thread may change what is looked at; the program must not notice.
            } finally {
                watcher.isLooking = false;
            }
            look.forget();
            watched.spend(budget - look.left);
            at = System.nanoTime();
            watcher.spend(at - entered);
            others = watcher.spent;
        }

        void end(Object value) {
            long ended = System.nanoTime();
            if (isOver) return;
            long time = Math.max(ended - at - (watcher.spent - others), 0);
            Look look = watcher.look;
            long budget = look.left = Math.min(watched.left, left.get());
            watcher.isLooking = true;
            try {
                look.see(value);
                if (isCosted) {
                    watched.cost(time, weight, look.size());
                    watched.last.noteResult(look);
                }
                if (input != null) watched.compare(look, input, value);
            } catch (Throwable refused) {
                // The same.
            } finally {
                watcher.isLooking = false;
                release();
            }
            look.forget();
            watched.spend(budget - look.left);
            watcher.spend(System.nanoTime() - ended);
        }

        void release() {
            synchronized (watched) {
                watched.running = depth;
            }
        }
    }

    // A method, and what is known of its calls. One thread at a time has it; others see it only when that one is done.
    private static final class Watched {
        final String function, file;
        final int line, place;
        private final boolean own, isVoid;
        private final String[] names;
        // The thread whose calls are watched, and how many calls of others went by since its last.
        private Watcher owner;
        private int refused;
        private boolean isEnded;
        int running;
        private long seen, stride, pending = 1;
        long weight, left = VALUES;
        long calls, same, given;
        private int kept;
        private final Results known = new Results();
        private final Results results = new Results();
        final Extents last;
        // Of calls that are not inside another call of it: what each was given, and how long it took.
        private int count;
        private long[] times = new long[0], weights = times, amounts = times;
        private int[] lengths = new int[0];
        private byte[] kinds = new byte[0];
        private double taken, weighed;

        Watched(Method method, int number, String[] parameters) {
            Row row = method.row;
            function = row.isWhole() ? joined(row.function, ".", method.name) : row.function;
            file = row.file;
            own = row.own;
            line = method.firstLine;
            place = number * APART;
            isVoid = method.type.endsWith("V");
            names = new String[parameters.length + 1];
            names[0] = "this";
            System.arraycopy(parameters, 0, names, 1, parameters.length);
            last = new Extents(names.length);
        }

        Call enter(Watcher watcher, Object self, Object[] given) {
            long entered = System.nanoTime();
            Call call = claim(watcher);
            if (call == null) return null;
            try {
                call.begin(self, given, entered);
                return call;
            } catch (Throwable refused) {
                // Too deep on the stack.
                call.release();
                return null;
            }
        }

        // Null when this call just runs. A later one then stands for it.
        private synchronized Call claim(Watcher watcher) {
            seen += stride;
            if (owner != watcher && owner != null && !owner.isAlive()) {
                owner = null;
                running = 0;
            }
            boolean isOthers = owner != null && owner != watcher;
            refused = isOthers ? refused + 1 : 0;
            if (isOthers && (running > 0 || refused < PATIENCE) || isEnded) {
                plan();
                pending += stride;
                return null;
            }
            owner = watcher;
            refused = 0;
            weight = pending;
            plan();
            pending = stride;
            Call call = new Call(this, watcher);
            running += 1;
            return call;
        }

        // How many calls go by until the next that is watched.
        private void plan() {
            isEnded |= count >= CALLS;
            int gap = running >= DEEPEST ? ALONE : seen < FIRST ? 0 : (int) Math.min(seen / PART, LONGEST);
            if (isEnded) gap = Integer.MAX_VALUE;
            // One more is the call inside the watched one.
            next[place] = isEnded ? gap : gap + 1;
            stride = gap + 1L;
        }

        void spend(long values) {
            left -= values;
            Watch.left.addAndGet(-values);
        }

        // Of its own methods, those without a result are called for what they do; what takes no time is not worth keeping.
        boolean isCompared() {
            return !(own && isVoid) && (count < TELLING || taken >= WORTH * weighed);
        }

        void cost(long time, long weight, int length) {
            int number = names.length;
            if (count == times.length && !enlarge()) {
                isEnded = true;
                return;
            }
            times[count] = time;
            weights[count] = weight;
            lengths[count] = length;
            System.arraycopy(last.kinds, 0, kinds, count * number, number);
            System.arraycopy(last.amounts, 0, amounts, count * number, number);
            taken += (double) time * weight;
            weighed += weight;
            count += 1;
        }

        private boolean enlarge() {
            int more = Math.max(count, 32);
            if (room.addAndGet(-(long) more * (20 + 9 * names.length)) < 0) return false;
            times = Arrays.copyOf(times, count + more);
            weights = Arrays.copyOf(weights, count + more);
            lengths = Arrays.copyOf(lengths, count + more);
            amounts = Arrays.copyOf(amounts, (count + more) * names.length);
            kinds = Arrays.copyOf(kinds, (count + more) * names.length);
            return true;
        }

        // Whether a call had the input and the result of an earlier one.
        void compare(Look look, Input input, Object value) throws IllegalAccessException {
            // Without a result it was called for what it does, and doing it again is not in vain; a package that is handed data
            // for that long checks it.
            if (isVoid && (own || !input.isText)) return;
            if (value instanceof Future || value instanceof CompletionStage) return;
            if (value instanceof Boolean && !input.asked) return;
            int form = look.form, size = look.size();
            boolean isLong = form == Kind.TEXT && size >= LONG, isWhole = Kind.isValue(form) || Kind.isData(form);
            if (input.isEmpty && Kind.isValue(form) && !isLong) return;
            // What changes an object is not in vain.
            if (!input.isUnchanged(look)) return;
            int at = known.find(input.key);
            if (!isWhole && kept >= KEPT && at < 0) return;
            look.start();
            if (!look.putValue(value, DEPTH, isWhole ? 0 : STATE)) return;
            long result = look.sum;
            if (at < 0) {
                // Short texts and small numbers are the same objects wherever they come from.
                boolean isKeepable = value != null && !Kind.isShared(form) && (form != Kind.TEXT || isLong);
                known.add(input.key, result, isKeepable ? new WeakReference<>(value) : null);
                kept += isWhole ? 0 : 1;
                if (isLong || Kind.isData(form) && size >= LARGE) noteGiven(result);
                return;
            }
            Reference<?> before = known.values[at];
            // The very object again was kept by somebody already.
            if (known.results[at] == result && (before == null || !before.refersTo(Extents.cast(value)))) same += 1;
        }

        // Whether a large result from a new input is one that an earlier call had given.
        private void noteGiven(long result) {
            if (results.find(result) >= 0) given += 1;
            else results.add(result, 0, null);
        }

        double mean() {
            return weighed > 0 ? taken / weighed : 0;
        }

        // By what of its input its time might go: each with the time at several lengths.
        List<Cost> costs() {
            List<Cost> found = new ArrayList<>();
            if (count < COSTED) return found;
            boolean[] goesOn = new boolean[count];
            int goingOn = 0;
            for (int call = 0; call < count; call += 1) {
                for (int at = 0; at < names.length; at += 1) goesOn[call] |= isAgain(call, at);
                goingOn += goesOn[call] ? 1 : 0;
            }
            int fresh = 0;
            for (int at = 0; at < names.length; at += 1) {
                fresh += overSize(found, at) ? 1 : 0;
                overPlace(found, at, goesOn);
            }
            // Where each call is given more than the one before, that is why it takes longer. Where each is given another thing of
            // no length, all calls are turns.
            boolean isKept = goingOn >= MOSTLY * count;
            if (fresh == 0 && (isKept || isOfThings())) {
                Pairs turns = new Pairs(count);
                long turn = 0;
                for (int call = 0; call < count; call += 1) {
                    turn = goesOn[call] || !isKept ? turn + weights[call] : 1;
                    turns.add(turn, times[call]);
                }
                turns.tell(found, "turn", null, goingOn);
            }
            Pairs results = new Pairs(count);
            for (int call = 0; call < count; call += 1) if (lengths[call] >= 0) results.add(lengths[call], times[call]);
            if (results.size >= COSTED) results.tell(found, "result", null, 0);
            return found;
        }

        // Whether all that calls are given are things of which nobody knows how large they are, and they give no more than before.
        private boolean isOfThings() {
            int things = 0;
            for (int call = 0; call < count; call += 1) {
                for (int at = 0; at < names.length; at += 1) {
                    int kind = kind(call, at);
                    if (kind != Extents.NONE && kind != Extents.OBJECT) return false;
                    things += kind == Extents.OBJECT ? 1 : 0;
                }
            }
            return things >= count && !givesMore();
        }

        private boolean isAgain(int call, int at) {
            return (kinds[call * names.length + at] & Extents.AGAIN) != 0;
        }

        private int kind(int call, int at) {
            return kinds[call * names.length + at] & Extents.FORM;
        }

        // Whether the time might go with the length of something that is another one each time.
        private boolean overSize(List<Cost> found, int at) {
            Pairs pairs = new Pairs(count);
            int again = 0;
            for (int call = 0; call < count; call += 1) {
                again += isAgain(call, at) ? 1 : 0;
                if (kind(call, at) >= Extents.SIZED) pairs.add(amounts[call * names.length + at], times[call]);
            }
            boolean isKept = again >= MOSTLY * count;
            if (pairs.size < COSTED || !pairs.tell(found, isKept ? "kept" : "given", names[at], again)) return false;
            return !isKept;
        }

        private void overPlace(List<Cost> found, int at, boolean[] goesOn) {
            Pairs pairs = new Pairs(count);
            int up = 0, down = 0;
            long before = 0;
            for (int call = 0; call < count; call += 1) {
                if (kind(call, at) != Extents.NUMBER) continue;
                long number = amounts[call * names.length + at];
                if (pairs.size > 0 && goesOn[call]) {
                    up += number > before ? 1 : 0;
                    down += number < before ? 1 : 0;
                }
                before = number;
                pairs.add(Math.abs(number), times[call]);
            }
            int inOrder = Math.max(up, down);
            // Each place of something is asked for in turn; a number that goes up and down is an amount, and so is one that as
            // much is made of.
            if (pairs.size >= COSTED && inOrder >= COSTED / 2 && inOrder >= MOSTLY * (up + down) && !givesMore()) {
                pairs.tell(found, "place", names[at], inOrder);
            }
        }

        // Whether later calls give more than earlier ones.
        private boolean givesMore() {
            int sized = 0;
            for (int call = 0; call < count; call += 1) sized += lengths[call] >= 0 ? 1 : 0;
            int part = sized / 4, at = 0;
            long early = 0, late = 0;
            for (int call = 0; call < count; call += 1) {
                if (lengths[call] < 0) continue;
                if (at < part) early += lengths[call];
                if (at >= sized - part) late += lengths[call];
                at += 1;
            }
            return part > 0 && late >= 2 * early;
        }
    }

    // Lengths, and what calls with these took.
    private static final class Pairs {
        private final long[] lengths, times;
        int size;

        Pairs(int most) {
            lengths = new long[most];
            times = new long[most];
        }

        void add(long length, long time) {
            lengths[size] = length;
            times[size] = time;
            size += 1;
        }

        // False when there were too few lengths.
        boolean tell(List<Cost> found, String over, String argument, int again) {
            List<long[]> sizes = new ArrayList<>();
            for (int about = 0; about < 63; about += 1) {
                long[] alikeLengths = new long[size], alikeTimes = new long[size];
                int alike = 0;
                for (int one = 0; one < size; one += 1) {
                    if (lengths[one] <= 0 || 63 - Long.numberOfLeadingZeros(lengths[one]) != about) continue;
                    alikeLengths[alike] = lengths[one];
                    alikeTimes[alike] = times[one];
                    alike += 1;
                }
                if (alike < ALIKE) continue;
                Arrays.sort(alikeLengths, 0, alike);
                Arrays.sort(alikeTimes, 0, alike);
                sizes.add(new long[] {alikeLengths[alike / 2], alike, alikeTimes[alike / 2]});
            }
            if (sizes.size() < LENGTHS) return false;
            found.add(new Cost(over, argument, again, sizes));
            return true;
        }
    }

    private static final class Cost {
        final String over, argument;
        final int again;
        final List<long[]> sizes;

        Cost(String over, String argument, int again, List<long[]> sizes) {
            this.over = over;
            this.argument = argument;
            this.again = again;
            this.sizes = sizes;
        }
    }

    // Writes at the end what was found.
    private static final class Report implements Runnable {
        private final File folder;
        private final StringBuilder out = new StringBuilder();
        private double whole;

        Report(File folder) {
            this.folder = folder;
        }

        @Override
        public void run() {
            try {
                isOver = true;
                whole = Math.max(System.nanoTime() - began - spent, 0);
                List<Watched> all = new ArrayList<>();
                synchronized (byMethod) {
                    all.addAll(byMethod.values());
                }
                // What other threads have found becomes visible.
                for (Watched one : all) synchronized (one) { one.isEnded = true; }
                out.append("{\"repeats\":[");
                putRepeats(all);
                out.append("],\"costs\":[");
                putCosts(all);
                out.append("],\"watched_ns\":").append(Math.round(whole)).append('}');
                // Asking the runtime for its number starts more of it than all the rest.
                String name = joined("jvm.", new File("/proc/self").getCanonicalFile().getName(), ".json");
                File part = new File(folder, name.concat(".part"));
                try (OutputStream file = new FileOutputStream(part)) {
                    file.write(out.toString().getBytes(StandardCharsets.UTF_8));
                }
                part.renameTo(new File(folder, name));
            } catch (Throwable refused) {
                // Nobody to tell.
            }
        }

        private void putRepeats(List<Watched> all) {
            List<Watched> found = new ArrayList<>();
            for (Watched one : all) if (one.calls >= 2 && one.mean() >= WORTH) found.add(one);
            found.sort(new Comparator<Watched>() {
                @Override
                public int compare(Watched one, Watched other) {
                    return Long.compare(Math.max(other.same, other.given), Math.max(one.same, one.given));
                }
            });
            for (int at = 0; at < Math.min(found.size(), TOLD); at += 1) {
                Watched one = found.get(at);
                out.append(at > 0 ? "," : "");
                putPlace(one);
                out.append(",\"calls\":").append(one.calls).append(",\"same\":").append(one.same);
                out.append(",\"given\":").append(one.given).append('}');
            }
        }

        private void putCosts(List<Watched> all) {
            all.sort(new Comparator<Watched>() {
                @Override
                public int compare(Watched one, Watched other) {
                    return Double.compare(other.taken, one.taken);
                }
            });
            String between = "";
            for (Watched one : all.subList(0, Math.min(all.size(), TOLD))) {
                for (Cost cost : one.costs()) {
                    out.append(between);
                    between = ",";
                    putPlace(one);
                    out.append(",\"calls\":").append(one.count).append(",\"over\":");
                    putText(cost.over);
                    out.append(",\"argument\":");
                    putText(cost.argument);
                    out.append(",\"again\":").append(cost.again).append(",\"sizes\":[");
                    putSizes(cost.sizes);
                    out.append("]}");
                }
            }
        }

        private void putSizes(List<long[]> sizes) {
            for (int at = 0; at < sizes.size(); at += 1) {
                long[] one = sizes.get(at);
                out.append(at > 0 ? ",{\"size\":" : "{\"size\":").append(one[0]).append(",\"calls\":").append(one[1]);
                out.append(",\"median_ns\":").append(one[2]).append('}');
            }
        }

        // The beginning of an object.
        private void putPlace(Watched one) {
            out.append("{\"function\":");
            putText(one.function);
            out.append(",\"file\":");
            putText(one.file);
            out.append(",\"line\":").append(one.line).append(",\"callers\":[],\"taken_ns\":");
            out.append(Math.round(Math.min(one.taken, whole)));
        }

        private void putText(String text) {
            if (text == null) {
                out.append("null");
                return;
            }
            out.append('"');
            for (int at = 0; at < text.length(); at += 1) {
                char one = text.charAt(at);
                if (one == '"' || one == '\\') out.append('\\').append(one);
                else if (one < ' ') out.append("\\u00").append(one < 16 ? '0' : '1').append(Character.forDigit(one & 15, 16));
                else out.append(one);
            }
            out.append('"');
        }
    }
}
