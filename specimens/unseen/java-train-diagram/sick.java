import java.util.Comparator;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Draws the graphic timetable of a single-track line and looks for trains too close to each other. */
class Main {
    static final class Stop {
        final int train;
        final int station;
        final double minute;

        Stop(int train, int station, double minute) {
            this.train = train;
            this.station = station;
            this.minute = minute;
        }
    }

    static final class Track {
        private final int station;
        private final List<Stop> stops = new LinkedList<>();

        Track(int station) {
            this.station = station;
        }

        void add(Stop stop) {
            stops.add(stop);
        }

        void arrange() {
            stops.sort(Comparator.comparingDouble((Stop stop) -> stop.minute).thenComparingInt(stop -> stop.train));
        }

        double gapAt(int place) {
            return stops.get(place).minute - stops.get(place - 1).minute;
        }

        int conflicts(double headway) {
            int found = 0;
            for (int place = 1; place < stops.size(); place++) {
                if (gapAt(place) < headway) {
                    found++;
                }
            }
            return found;
        }

        double span() {
            double first = Double.MAX_VALUE;
            double last = 0;
            for (Stop stop : stops) {
                first = Math.min(first, stop.minute);
                last = Math.max(last, stop.minute);
            }
            return last - first;
        }
    }

    static double delay(int train, int station) {
        double sum = 0;
        for (int k = 1; k < 60; k++) {
            sum += Math.sin(train * 0.37 * k + station) / k;
        }
        return Math.abs(sum);
    }

    static Map<Integer, Track> timetable(int trains, int stations) {
        Map<Integer, Track> tracks = new TreeMap<>();
        for (int train = 0; train < trains; train++) {
            double minute = train * 1.7 + train % 3;
            for (int station = 0; station < stations; station++) {
                minute += 4 + delay(train, station);
                tracks.computeIfAbsent(station, Track::new).add(new Stop(train, station, minute));
            }
        }
        return tracks;
    }

    public static void main(String[] args) {
        int trains = args.length > 0 ? Integer.parseInt(args[0]) : 1000;
        Map<Integer, Track> tracks = timetable(trains, 4);
        int conflicts = 0;
        double span = 0;
        for (Track track : tracks.values()) {
            track.arrange();
            conflicts += track.conflicts(1.2);
            span = Math.max(span, track.span());
        }
        System.out.printf("trains %d stations %d conflicts %d span %.1f%n", trains, tracks.size(), conflicts, span);
    }
}
