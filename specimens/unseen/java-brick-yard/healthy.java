import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/** A brick yard: packs orders of bricks into frames for the kiln's controller. */
final class Main {
    private static final int HEADER = 16;
    private static final int ROOM = 1 << 20;

    /** One order: how many bricks of which mould. */
    record Order(int number, int mould, int bricks) {}

    /** A frame as the controller takes it: a header and one word for each row of bricks. */
    static final class Frame {
        private final ByteBuffer bytes;

        Frame(ByteBuffer bytes) {
            this.bytes = bytes;
        }

        void begin(Order order) {
            bytes.clear();
            bytes.putInt(0x42524943).putInt(order.number()).putInt(order.mould()).putInt(order.bricks());
        }

        void row(int at, int heat) {
            bytes.putInt(HEADER + 4 * at, heat);
        }

        long seal(int rows, CRC32 sum) {
            bytes.position(0).limit(HEADER + 4 * rows);
            sum.reset();
            sum.update(bytes);
            return sum.getValue();
        }
    }

    /** Packs the orders. */
    static final class Packer {
        private final CRC32 sum = new CRC32();
        private final Frame frame = new Frame(ByteBuffer.allocateDirect(ROOM));
        private long sealed;
        private int packed;

        void pack(Order order) {
            frame.begin(order);
            int rows = order.bricks() / 8;
            int heat = 900 + order.mould();
            for (int row = 0; row < rows; row++) {
                heat = curve(heat, row);
                frame.row(row, heat);
            }
            sealed = sealed * 31 + frame.seal(rows, sum);
            packed++;
        }

        private int curve(int heat, int row) {
            int step = heat * 1103515245 + row;
            return 850 + Math.floorMod(step >> 7, 300);
        }
    }

    /** The stock of moulds: lives as long as the yard. */
    static List<int[]> moulds(int count) {
        List<int[]> moulds = new ArrayList<>();
        for (int mould = 0; mould < count; mould++) {
            int[] shape = new int[24];
            IntBuffer view = IntBuffer.wrap(shape);
            for (int at = 0; at < shape.length; at++) {
                view.put(mould * at % 251);
            }
            moulds.add(shape);
        }
        return moulds;
    }

    public static void main(String[] args) {
        int orders = args.length > 0 ? Integer.parseInt(args[0]) : 50;
        List<int[]> moulds = moulds(150_000);
        Packer packer = new Packer();
        int state = 1666;
        long shapes = 0;
        for (int number = 0; number < orders; number++) {
            state = state * 1664525 + 1013904223;
            int mould = (state >>> 8) % moulds.size();
            shapes += moulds.get(mould)[number % 24];
            packer.pack(new Order(number, mould, 200 + (state >>> 20) % 1200));
        }
        System.out.println(packer.packed + " packed, seal " + Long.toHexString(packer.sealed) + ", shapes " + shapes);
    }
}
