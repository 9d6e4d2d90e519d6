import java.util.Arrays;
import java.util.concurrent.ExecutionException;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;

public class Sick {
    static final class Tile {
        final String label;
        final int[] pixels;

        Tile(String label, int[] pixels) {
            this.label = label;
            this.pixels = pixels;
        }
    }

    static Cache<Long, Tile[]> newCache() {
        return CacheBuilder.newBuilder().softValues().build();
    }

    static Tile[] renderStrip(long strip) {
        Tile[] tiles = new Tile[16];
        for (int t = 0; t < tiles.length; t++) {
            int[] pixels = new int[12];
            Arrays.fill(pixels, (int) (strip * 31 + t));
            tiles[t] = new Tile("tile", pixels);
        }
        return tiles;
    }

    static long brightness(Tile[] tiles) {
        long sum = 0;
        for (Tile tile : tiles) {
            sum += tile.pixels[0] % 256 + tile.label.length();
        }
        return sum;
    }

    static long viewMap(Cache<Long, Tile[]> cache, int views) throws ExecutionException {
        long seen = 0;
        for (int view = 0; view < views; view++) {
            long strip = view % 4 == 0 ? view % 64 : view;
            seen += brightness(cache.get(strip, () -> renderStrip(strip)));
        }
        return seen;
    }

    public static void main(String[] args) throws ExecutionException {
        int views = Integer.parseInt(args[0]);
        System.out.println("views " + views + " brightness " + viewMap(newCache(), views));
    }
}
