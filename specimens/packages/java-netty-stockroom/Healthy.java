import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.LineBasedFrameDecoder;
import io.netty.handler.codec.string.StringDecoder;
import io.netty.handler.codec.string.StringEncoder;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A front desk that tells branches how many pieces of an article the stockroom has. */
public final class Healthy {
    /** A connection on which each line that is sent is answered by one. */
    static final class Line implements AutoCloseable {
        private final Socket socket;
        private final OutputStream out;
        private final BufferedReader in;

        Line(Socket socket) throws IOException {
            this.socket = socket;
            socket.setTcpNoDelay(true);
            out = socket.getOutputStream();
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        }

        void send(String text) throws IOException {
            out.write((text + "\n").getBytes(StandardCharsets.US_ASCII));
        }

        String receive() throws IOException {
            return in.readLine();
        }

        String ask(String text) throws IOException {
            send(text);
            return receive();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    static void count(Line line) {
        try (line) {
            for (String article = line.receive(); article != null; article = line.receive()) {
                Thread.sleep(20);
                line.send(Integer.toString(Integer.parseInt(article) * 31 % 97));
            }
        } catch (IOException | InterruptedException gone) {
            Thread.currentThread().interrupt();
        }
    }

    static ServerSocket stockroom() throws IOException {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(() -> {
            try {
                while (true) {
                    Line line = new Line(server.accept());
                    start(() -> count(line));
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

    /** Answers one branch. */
    static final class Desk extends SimpleChannelInboundHandler<String> {
        private final int port;
        private Line stockroom;

        Desk(int port) {
            this.port = port;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) throws IOException {
            stockroom = new Line(new Socket(InetAddress.getLoopbackAddress(), port));
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, String article) throws IOException {
            context.writeAndFlush(stockroom.ask(article) + "\n");
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) throws IOException {
            stockroom.close();
        }
    }

    static Channel open(NioEventLoopGroup loop, int stockroom) throws InterruptedException {
        DefaultEventExecutorGroup clerks = new DefaultEventExecutorGroup(12);
        ServerBootstrap desk = new ServerBootstrap();
        desk.group(loop).channel(NioServerSocketChannel.class);
        desk.childHandler(new ChannelInitializer<SocketChannel>() {
            @Override
            protected void initChannel(SocketChannel channel) {
                channel.pipeline().addLast(new LineBasedFrameDecoder(100), new StringDecoder(), new StringEncoder());
                channel.pipeline().addLast(clerks, new Desk(stockroom));
            }
        });
        return desk.bind(InetAddress.getLoopbackAddress(), 0).sync().channel();
    }

    static long branch(int number, int port, int articles) throws IOException {
        long pieces = 0;
        try (Line desk = new Line(new Socket(InetAddress.getLoopbackAddress(), port))) {
            for (int at = 0; at < articles; at++) {
                pieces += Long.parseLong(desk.ask(Integer.toString(number * 100 + at)));
            }
        }
        return pieces;
    }

    public static void main(String[] arguments) throws Exception {
        int articles = Integer.parseInt(arguments[0]);
        NioEventLoopGroup loop = new NioEventLoopGroup(1);
        try (ServerSocket stockroom = stockroom()) {
            Channel desk = open(loop, stockroom.getLocalPort());
            int port = ((InetSocketAddress) desk.localAddress()).getPort();
            AtomicLong pieces = new AtomicLong();
            List<Thread> branches = new ArrayList<>();
            for (int number = 0; number < 12; number++) {
                int branch = number;
                Thread thread = new Thread(() -> {
                    try {
                        pieces.addAndGet(branch(branch, port, articles));
                    } catch (IOException broken) {
                        throw new IllegalStateException(broken);
                    }
                });
                thread.start();
                branches.add(thread);
            }
            for (Thread thread : branches) {
                thread.join();
            }
            System.out.println(branches.size() + " branches, " + pieces + " pieces");
            desk.close().sync();
        }
        System.exit(0);
    }
}
