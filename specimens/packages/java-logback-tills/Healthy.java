import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** The tills of a shop, which keep their receipts in the journal of the head office. */
public final class Healthy {
    static final AtomicLong KEPT = new AtomicLong();

    static void keep(Socket till) {
        try (till; BufferedReader in = reader(till)) {
            for (String receipt = in.readLine(); receipt != null; receipt = in.readLine()) {
                Thread.sleep(12);
                KEPT.addAndGet(receipt.length());
                till.getOutputStream().write('\n');
            }
        } catch (IOException | InterruptedException gone) {
            Thread.currentThread().interrupt();
        }
    }

    static ServerSocket office() throws IOException {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(() -> {
            try {
                while (true) {
                    Socket till = server.accept();
                    start(() -> keep(till));
                }
            } catch (IOException closed) {
                return;
            }
        });
        return server;
    }

    static void start(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        thread.start();
    }

    static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    }

    /** Sends each event to the office and waits until it is kept there; every till has a connection of its own. */
    static final class JournalAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {
        private final PatternLayout layout;
        private final ThreadLocal<Socket> office;

        JournalAppender(LoggerContext context, int port) {
            setContext(context);
            layout = new PatternLayout();
            layout.setContext(context);
            layout.setPattern("%level %logger{0} %msg%n");
            layout.start();
            office = ThreadLocal.withInitial(() -> {
                try {
                    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                    socket.setTcpNoDelay(true);
                    return socket;
                } catch (IOException closed) {
                    throw new UncheckedIOException(closed);
                }
            });
        }

        @Override
        protected void append(ILoggingEvent event) {
            try {
                Socket socket = office.get();
                socket.getOutputStream().write(layout.doLayout(event).getBytes(StandardCharsets.US_ASCII));
                if (socket.getInputStream().read() < 0) {
                    addError("the office is closed");
                }
            } catch (IOException broken) {
                addError("not kept", broken);
            }
        }
    }

    static long sell(Logger journal, int till, int customers) {
        long cents = 0;
        for (int customer = 0; customer < customers; customer++) {
            long price = (till * 7919L + customer * 104729L) % 5000;
            journal.info("till {} customer {} paid {} cents", till, customer, price);
            cents += price;
        }
        return cents;
    }

    public static void main(String[] arguments) throws Exception {
        int customers = Integer.parseInt(arguments[0]);
        AtomicLong cents = new AtomicLong();
        try (ServerSocket office = office()) {
            LoggerContext context = new LoggerContext();
            JournalAppender appender = new JournalAppender(context, office.getLocalPort());
            appender.start();
            Logger journal = context.getLogger("shop.journal");
            journal.addAppender(appender);
            List<Thread> tills = new ArrayList<>();
            for (int number = 0; number < 8; number++) {
                int till = number;
                Thread thread = new Thread(() -> cents.addAndGet(sell(journal, till, customers)), "till-" + till);
                thread.start();
                tills.add(thread);
            }
            for (Thread thread : tills) {
                thread.join();
            }
        }
        System.out.println(cents + " cents, " + KEPT + " characters kept");
    }
}
