import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** A fire watch: sensors in a wood report warmth, and a warden decides where to send somebody. */
final class Main {
    private static final String[] SLOPES = {"north", "east", "south", "west"};

    /** One report of a sensor. */
    record Report(int sensor, int warmth) {}

    /** Decides about reports. */
    static final class Warden {
        private final LinkedBlockingQueue<Report> desk = new LinkedBlockingQueue<>();
        private final Map<String, Integer> sent = new TreeMap<>();
        private final Queue<Integer> recent = new ArrayDeque<>();
        private final CountDownLatch open;
        private long judged;

        Warden(int reports) {
            open = new CountDownLatch(reports);
        }

        void report(Report report) {
            desk.add(report);
        }

        /** The warden's round: sees to what lies on the desk. */
        void round() {
            Report report = desk.poll();
            if (report != null) {
                judge(report);
                open.countDown();
            }
        }

        private void judge(Report report) {
            long risk = report.warmth();
            for (int hour = 0; hour < 2000; hour++) {
                risk = (risk * 25214903917L + report.sensor() + hour) & 0xFFFFFFFFL;
            }
            judged = judged * 31 + risk;
            recent.add(report.sensor());
            if (recent.size() > 20) {
                recent.remove();
            }
            if (report.warmth() > 60) {
                sent.merge(SLOPES[report.sensor() % SLOPES.length], 1, Integer::sum);
            }
        }

        void finish() throws InterruptedException {
            open.await();
        }
    }

    /** The sensors: report in small gusts. */
    static final class Wood extends Thread {
        private final Warden warden;
        private final int reports;

        Wood(Warden warden, int reports) {
            this.warden = warden;
            this.reports = reports;
        }

        @Override
        public void run() {
            int state = 451;
            for (int number = 0; number < reports; number++) {
                state = state * 1664525 + 1013904223;
                warden.report(new Report((state >>> 8) % 500, 20 + (state >>> 20) % 60));
                if (number % 40 == 39) {
                    try {
                        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                    } catch (InterruptedException stop) {
                        return;
                    }
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int reports = args.length > 0 ? Integer.parseInt(args[0]) : 40;
        Warden warden = new Warden(reports);
        ScheduledExecutorService clock = Executors.newScheduledThreadPool(2);
        clock.scheduleWithFixedDelay(warden::round, 0, 5, TimeUnit.MILLISECONDS);
        Wood wood = new Wood(warden, reports);
        wood.start();
        warden.finish();
        wood.join();
        clock.shutdown();
        System.out.println(warden.sent + " judged " + Long.toHexString(warden.judged) + " last " + warden.recent);
    }
}
