import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongBinaryOperator;

/** A signal box: trains ask for a route, the interlocking works out whether it is free, the signalman sets it. */
class Main {
    interface Interlocking extends AutoCloseable {
        Future<Long> request(Train train);

        @Override
        void close();
    }

    static class Train {
        final int number;
        final int track;

        Train(int number, int track) {
            this.number = number;
            this.track = track;
        }
    }

    /** Works routes out on two threads. */
    static class Relays implements Interlocking {
        private final ExecutorService room = Executors.newFixedThreadPool(2);

        @Override
        public Future<Long> request(Train train) {
            Callable<Long> work = () -> {
                long lever = train.number * 2654435761L + train.track;
                for (int k = 0; k < 400_000; k++) {
                    lever ^= lever << 13;
                    lever ^= lever >>> 7;
                    lever ^= lever << 17;
                }
                return lever & 0xffff;
            };
            return room.submit(work);
        }

        @Override
        public void close() {
            room.shutdown();
        }
    }

    static class Signalman {
        private final Interlocking interlocking;
        private final Deque<String> log = new ArrayDeque<>();

        Signalman(Interlocking interlocking) {
            this.interlocking = interlocking;
        }

        long set(Train train) throws InterruptedException, ExecutionException {
            Future<Long> route = interlocking.request(train);
            long levers = settled(route);
            log.addLast(train.number + "@" + train.track + "=" + levers);
            if (log.size() > 50) {
                log.removeFirst();
            }
            return levers;
        }

        private <T> T settled(Future<T> answer) throws InterruptedException, ExecutionException {
            while (!answer.isDone()) {
                TimeUnit.MILLISECONDS.sleep(15);
            }
            return answer.get();
        }

        int logged() {
            return String.join(",", log).hashCode();
        }
    }

    static List<Train> timetable(int count) {
        List<Train> trains = new ArrayList<>();
        for (int k = 0; k < count; k++) {
            trains.add(new Train(1000 + k * 3, k * 5 % 11));
        }
        return trains;
    }

    public static void main(String... args) throws Exception {
        int count = args.length == 0 ? 20 : Integer.parseInt(args[0]);
        LongBinaryOperator mix = (sum, levers) -> sum * 37 + levers;
        long sum = 1;
        try (Interlocking relays = new Relays()) {
            Signalman signalman = new Signalman(relays);
            for (Train train : timetable(count)) {
                sum = mix.applyAsLong(sum, signalman.set(train));
            }
            System.out.printf("routes %x log %d%n", sum, signalman.logged());
        }
    }
}
