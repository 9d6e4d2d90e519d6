import java.util.Arrays;

/** A picture with three channels of eight bits, one after the other. */
final class Picture {
    final int width;
    final int height;
    final byte[] values;

    Picture(int width, int height) {
        this.width = width;
        this.height = height;
        this.values = new byte[width * height * 3];
    }

    static Picture negative(int width, int height, long seed) {
        Picture picture = new Picture(width, height);
        long state = seed * 0x9e3779b97f4a7c15L + 1;
        for (int place = 0; place < picture.values.length; place++) {
            state ^= state << 13;
            state ^= state >>> 7;
            state ^= state << 17;
            picture.values[place] = (byte) (state >>> 33);
        }
        return picture;
    }

    int at(int row, int column, int channel) {
        return values[(row * width + column) * 3 + channel] & 255;
    }
}

/** Tone curves of film and paper. */
final class Tone {
    private static final double GAMMA = 2.2;

    private Tone() {}

    static double toLight(int value) {
        double share = value / 255.0;
        if (share <= 0.04045) {
            return share / 12.92;
        }
        return Math.pow((share + 0.055) / 1.055, GAMMA + 0.2) * (1 - Math.exp(-share * 9));
    }

    /** Paper has eight steps only. */
    static int toPaper(double light) {
        return light < 0.5 ? (int) (light * 10) : (int) (light * 6) + 2;
    }
}

/** Where prints are made. */
final class Darkroom {
    private final long[] steps = new long[16];
    private double light;

    /** Softens the grain in whole numbers. */
    Picture blur(Picture from) {
        Picture to = new Picture(from.width, from.height);
        for (int row = 1; row < from.height - 1; row++) {
            for (int column = 1; column < from.width - 1; column++) {
                for (int channel = 0; channel < 3; channel++) {
                    int sum = 2 * from.at(row, column, channel)
                            + from.at(row - 1, column, channel) + from.at(row + 1, column, channel)
                            + from.at(row, column - 1, channel) + from.at(row, column + 1, channel);
                    to.values[(row * from.width + column) * 3 + channel] = (byte) (sum / 6);
                }
            }
        }
        return to;
    }

    void develop(Picture picture) {
        for (int row = 0; row < picture.height; row++) {
            for (int column = 0; column < picture.width; column++) {
                double red = Tone.toLight(picture.at(row, column, 0));
                double green = Tone.toLight(picture.at(row, column, 1));
                double blue = Tone.toLight(picture.at(row, column, 2));
                double grey = red * 0.2126 + green * 0.7152 + blue * 0.0722;
                light += grey;
                steps[Tone.toPaper(grey)]++;
            }
        }
    }

    String report() {
        return String.format("light %.6f, steps %s", light, Arrays.toString(steps));
    }
}

final class Main {
    public static void main(String[] args) throws InterruptedException {
        int prints = args.length > 0 ? Integer.parseInt(args[0]) : 1;
        Thread safelight = new Thread(() -> {
            try {
                Thread.sleep(600_000);
            } catch (InterruptedException over) {
                Thread.currentThread().interrupt();
            }
        });
        safelight.start();
        Darkroom room = new Darkroom();
        for (int number = 0; number < prints; number++) {
            Picture negative = Picture.negative(1400, 900, number + 1);
            room.develop(negative);
            room.develop(room.blur(negative));
        }
        safelight.interrupt();
        safelight.join();
        System.out.println(prints + " prints, " + room.report());
    }
}
