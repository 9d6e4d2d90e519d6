import java.io.*;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import javax.mail.*;

/** Counts by subject the letters that a choir got in its inbox. */
public final class Healthy {
    static final String[] SUBJECTS = {"Rehearsal", "Concert", "Hoarse today", "Score lost", "Bus"};

    static String letter(int number) {
        String who = " ((\"Singer " + number % 40 + "\" NIL \"singer" + number % 40 + "\" \"choir.example\"))";
        return "* %d FETCH (ENVELOPE (\"Tue, 17 Nov 2026 02:23:25 +0000\" \"%s\"%s%s%s NIL NIL NIL NIL \"<%d@choir.example>\"))\r\n"
                .formatted(number, SUBJECTS[number * 7 % 5], who, who, who, number);
    }

    static String answer(String[] words, int letters) {
        StringBuilder answer = new StringBuilder();
        if (words[1].equals("EXAMINE")) {
            answer.append("* ").append(letters).append(" EXISTS\r\n* 0 RECENT\r\n");
        } else if (words[1].equals("FETCH")) {
            String[] range = words[2].split(":");
            for (int number = Integer.parseInt(range[0]); number <= Integer.parseInt(range[range.length - 1]); number++) {
                answer.append(letter(number));
            }
        }
        return answer.append(words[0]).append(" OK done\r\n").toString();
    }

    static void serve(ServerSocket post, int letters) {
        try (Socket socket = post.accept(); OutputStream out = socket.getOutputStream()) {
            out.write("* OK [CAPABILITY IMAP4rev1] ready\r\n".getBytes());
            new BufferedReader(new InputStreamReader(socket.getInputStream())).lines().forEach(line -> {
                LockSupport.parkNanos(3_000_000);
                try {
                    out.write(answer(line.split(" "), letters).getBytes());
                } catch (IOException gone) {
                    throw new UncheckedIOException(gone);
                }
            });
        } catch (IOException gone) {
            System.err.println(gone);
        }
    }

    static Map<String, Integer> count(Folder inbox) throws MessagingException {
        Map<String, Integer> count = new TreeMap<>();
        Message[] letters = inbox.getMessages();
        FetchProfile profile = new FetchProfile();
        profile.add(FetchProfile.Item.ENVELOPE);
        inbox.fetch(letters, profile);
        for (Message letter : letters) {
            count.merge(letter.getSubject(), 1, Integer::sum);
        }
        return count;
    }

    public static void main(String[] arguments) throws Exception {
        ServerSocket post = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
        new Thread(() -> serve(post, Integer.parseInt(arguments[0])), "post").start();
        Store store = Session.getInstance(new Properties()).getStore("imap");
        store.connect("127.0.0.1", post.getLocalPort(), "choir", "sing");
        Folder inbox = store.getFolder("INBOX");
        inbox.open(Folder.READ_ONLY);
        System.out.println(count(inbox));
        inbox.close(false);
        store.close();
    }
}
