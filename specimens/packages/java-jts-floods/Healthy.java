import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.geom.Point;
import org.locationtech.jts.geom.Polygon;
import org.locationtech.jts.geom.prep.PreparedGeometry;
import org.locationtech.jts.geom.prep.PreparedGeometryFactory;
import org.locationtech.jts.operation.union.UnaryUnionOp;

/** Draws the area that the gauges of a river reported as flooded, and says how much of it there is. */
public final class Healthy {
    static final GeometryFactory MAP = new GeometryFactory();

    static Polygon patch(int east, int north, int reach) {
        return MAP.createPolygon(new Coordinate[] {
            new Coordinate(east - reach, north),
            new Coordinate(east - reach / 2, north + reach),
            new Coordinate(east + reach / 2, north + reach),
            new Coordinate(east + reach, north),
            new Coordinate(east + reach / 2, north - reach),
            new Coordinate(east - reach / 2, north - reach),
            new Coordinate(east - reach, north),
        });
    }

    static List<Geometry> reports(int count) {
        Random river = new Random(11);
        List<Geometry> patches = new ArrayList<>();
        for (int at = 0; at < count; at++) {
            patches.add(patch(river.nextInt(60_000), river.nextInt(20_000), 200 + river.nextInt(400)));
        }
        return patches;
    }

    static Geometry flooded(List<Geometry> patches) {
        return UnaryUnionOp.union(patches);
    }

    static int wet(PreparedGeometry area, int houses) {
        Random town = new Random(5);
        int wet = 0;
        for (int at = 0; at < houses; at++) {
            Point house = MAP.createPoint(new Coordinate(town.nextInt(60_000), town.nextInt(20_000)));
            if (area.intersects(house)) {
                wet++;
            }
        }
        return wet;
    }

    public static void main(String[] arguments) {
        List<Geometry> patches = reports(Integer.parseInt(arguments[0]));
        Geometry area = flooded(patches);
        int wet = wet(PreparedGeometryFactory.prepare(area), 2000);
        System.out.println(String.format(Locale.ROOT, "%d reports, %d areas, %.1f square kilometres, %d houses",
            patches.size(), area.getNumGeometries(), area.getArea() / 1e6, wet));
    }
}
