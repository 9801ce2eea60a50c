// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.pipeline;

import static io.mortise.lock.redis.connections.RedisFailures.STORE;

import io.mortise.lock.redis.connections.RedisFailures;
import io.mortise.lock.redis.connections.RedisReply;
import io.mortise.lock.redis.scripts.ScriptCall;
import io.mortise.lock.redis.scripts.ServerState;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.StoreIncarnation;
import io.mortise.lock.spi.support.PollDelay;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * Sends the requests of many threads over one connection to one server, in the order in which they come. One daemon thread
 * connects and reads the replies; it completes the futures, so what depends on them must be quick. Thread-safe.
 *
 * <p>Nobody who sends waits for the server: a thread that sends writes to the connection itself only while the server owes the
 * answers to so few bytes that the connection surely takes more. Other requests wait in line, and are sent when replies have
 * come, or never if their time is over before.
 *
 * <p>A request whose time is over fails, and its reply is read when it comes. The connection is given up when its oldest request
 * is late and nothing was answered for a while. Requests that were sent over it then fail; those in line go over the next one.
 */
public final class Pipeline implements AutoCloseable {
    /** What a connection surely takes from us while its server reads nothing. */
    private static final int WINDOW_BYTES = 16_000;

    /** How often the server is asked for its clock and its role while there are requests. */
    private static final long FRESH_NANOS = Duration.ofSeconds(10).toNanos();

    /** A connection over which a reply came within this time is taken to be alive. */
    private static final long ALIVE_NANOS = Duration.ofSeconds(1).toNanos();

    /** With so many requests unanswered, one more lets other threads add theirs before it is written. */
    private static final int MANY_UNANSWERED = 4;

    private static final long LOOK_AGAIN_NANOS = Duration.ofMillis(50).toNanos();
    private static final Logger LOG = System.getLogger(Pipeline.class.getName());

    private final String name;
    private final Supplier<Connection> connecting;
    private final long silenceNanos;
    private final Deadlines deadlines;
    private final RedisFailures failures;
    private final ReentrantLock lock = new ReentrantLock();

    /** Requests that nobody has put in line yet: whoever has the lock next does so for all. */
    private final Queue<PipelinedRequest> arrived = new ConcurrentLinkedQueue<>();

    private final AtomicBoolean waking = new AtomicBoolean();

    private final Deque<PipelinedRequest> line = new ArrayDeque<>();
    private final Deque<PipelinedRequest> sent = new ArrayDeque<>();
    private final PollDelay pauses = new PollDelay(Duration.ofMillis(20), Duration.ofMillis(500));
    private int owedBytes;

    /** How many were sent and not answered; read without the lock. */
    private volatile int unanswered;

    private @Nullable Thread reader;

    /** The connection from when it is made; used by those who send once the server has told its incarnation. */
    private volatile @Nullable Connection connection;

    private volatile @Nullable StoreIncarnation incarnation;
    private long stateAskedAt;

    /** How long the server may take to tell its clock, so that what it tells is better than what is known. */
    private long clockTook;

    private volatile long lastReplyAt;
    private volatile boolean doubted;
    private long checkAt;
    private boolean checking;
    private @Nullable Throwable refusal;
    private long refusedUntil;
    private boolean closed;

    /** Since when a thread has been writing, or 0: read without the lock, which that thread has. */
    private volatile long writingSince;

    /**
     * Does not connect yet.
     *
     * @param name of the thread
     * @param connecting opens a connection that has logged in, and connects once only
     * @param silence how long the server may be silent after a request is late
     * @param failures what its errors mean
     */
    Pipeline(
            String name,
            Supplier<Connection> connecting,
            Duration silence,
            Deadlines deadlines,
            RedisFailures failures) {
        this.name = name;
        this.connecting = connecting;
        this.silenceNanos = silence.toNanos();
        this.deadlines = deadlines;
        this.failures = failures;
    }

    /** Sends a script. The answer fails with a {@link BackendException} if it is not known or an error. */
    public CompletableFuture<Reply> send(ScriptCall script, Duration atMost) {
        return send(PipelinedRequest.of(failures, script, atMost));
    }

    /** Sends a command. The answer fails with a {@link BackendException} if it is not known or an error. */
    public CompletableFuture<Reply> send(Duration atMost, Command command, String... arguments) {
        return send(PipelinedRequest.of(failures, atMost, command, arguments));
    }

    /**
     * Whether the server has answered within the last second, and since {@link #doubt()}. If it has not, it is asked something, for which
     * nobody waits, so that this is soon so if all is well.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // whatever comes back shows that the connection is alive
    public boolean isAlive() {
        if (incarnation != null && !doubted && System.nanoTime() - lastReplyAt < ALIVE_NANOS) {
            return true;
        }
        if (!waking.getAndSet(true)) {
            send(Duration.ofNanos(silenceNanos), Command.PING).whenComplete((any, failure) -> waking.set(false));
        }
        return false;
    }

    /** Somebody got no answer in time: until there is another one, this connection may be dead. */
    public void doubt() {
        doubted = true;
    }

    private CompletableFuture<Reply> send(PipelinedRequest request) {
        arrived.add(request);
        if (unanswered >= MANY_UNANSWERED) {
            // Threads that the last replies have woken are about to send as well: one write then does for all.
            Thread.yield();
        }
        if (!request.isTaken()) {
            takeArrived(request);
        }
        return request.answer();
    }

    /** Puts in line what has arrived, this request with it, and sends that if the connection takes it. */
    private void takeArrived(PipelinedRequest own) {
        List<PipelinedRequest> taken = new ArrayList<>();
        Throwable failure = null;
        lock.lock();
        try {
            for (PipelinedRequest next = arrived.peek(); next != null; next = arrived.peek()) {
                taken.add(next);
                arrived.remove();
                next.setTaken();
            }
            if (closed) {
                failure = BackendException.closed(STORE);
            } else if (reader == null && refusal != null && refusedUntil - System.nanoTime() > 0) {
                failure = refusal;
            } else if (!taken.isEmpty()) {
                askForState();
                line.addAll(taken);
                taken.forEach(request -> checkNoLaterThan(request.deadline()));
                if (reader == null) {
                    startReader();
                } else {
                    writeLine();
                }
            }
        } catch (Throwable outOfMemory) {
            line.removeAll(taken);
            failure = outOfMemory;
        } finally {
            lock.unlock();
        }
        if (failure != null) {
            Throwable why = failure;
            taken.forEach(request -> request.fail(why));
            if (arrived.remove(own)) {
                own.fail(why);
            }
        }
    }

    private void startReader() {
        Thread made = new Thread(null, this::run, name, 0, false);
        made.setDaemon(true);
        made.start();
        reader = made;
    }

    /** Asks for the clock and the role once more, before the next request, if that is long ago. */
    @SuppressWarnings("FutureReturnValueIgnored") // recorded by the thread that reads it
    private void askForState() {
        long now = System.nanoTime();
        if (incarnation == null || now - stateAskedAt < FRESH_NANOS) {
            return;
        }
        stateAskedAt = now;
        Duration patience = Duration.ofNanos(silenceNanos);
        PipelinedRequest server = PipelinedRequest.of(failures, patience, Command.INFO, "server");
        PipelinedRequest replication = PipelinedRequest.of(failures, patience, Command.INFO, "replication");
        PipelinedRequest time = PipelinedRequest.of(failures, patience, Command.TIME);
        line.addAll(List.of(server, replication, time));
        time.answer().thenAccept(clock -> {
            Reply process = server.answer().getNow(null);
            Reply role = replication.answer().getNow(null);
            if (process != null && role != null) {
                recordState(state(process.value(), role.value(), clock.value()), time.sentAt());
            }
        });
    }

    private static ServerState state(@Nullable Object server, @Nullable Object replication, @Nullable Object time) {
        return new ServerState(
                RedisReply.text(Objects.requireNonNull(server)),
                RedisReply.text(Objects.requireNonNull(replication)),
                (List<?>) Objects.requireNonNull(time));
    }

    /** A server that has become a replica has no more answers for us; whoever connects next is told so. */
    private void recordState(ServerState state, long asked) {
        long took = System.nanoTime() - asked;
        StoreIncarnation told;
        try {
            told = state.incarnation(asked, asked + took);
        } catch (BackendException refused) {
            disconnect(connection);
            return;
        }
        lock.lock();
        try {
            // A reply that waited behind others tells little of the clock; but clocks drift, so the bound grows each
            // time.
            if (incarnation != null && took <= clockTook) {
                incarnation = told;
                clockTook = took;
            } else {
                clockTook *= 2;
            }
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        boolean goesOn = true;
        while (goesOn) {
            Throwable failure;
            boolean connected = false;
            try {
                Connection opened = open();
                connected = true;
                while (true) {
                    received(read(opened));
                }
            } catch (Throwable ended) {
                failure = ended;
            }
            goesOn = ended(failure, connected);
        }
    }

    private Connection open() {
        Connection opened = connecting.get();
        lock.lock();
        try {
            if (closed) {
                disconnect(opened);
                throw BackendException.closed(STORE);
            }
            connection = opened;
        } finally {
            lock.unlock();
        }
        opened.sendCommand(Command.INFO, "server");
        opened.sendCommand(Command.INFO, "replication");
        Object server = opened.getOne();
        Object replication = opened.getOne();
        // Alone, since half of the time that it takes is how far the server's clock may be misjudged.
        long asked = System.nanoTime();
        opened.sendCommand(Command.TIME);
        Object time = opened.getOne();
        long heard = System.nanoTime();
        StoreIncarnation process = state(server, replication, time).incarnation(asked, heard);
        opened.setTimeoutInfinite();
        lock.lock();
        try {
            incarnation = process;
            clockTook = heard - asked;
            stateAskedAt = asked;
            lastReplyAt = heard;
            doubted = false;
            refusal = null;
            pauses.reset();
            writeLine();
        } finally {
            lock.unlock();
        }
        return opened;
    }

    private static @Nullable Object read(Connection opened) {
        try {
            return opened.getUnflushedObject();
        } catch (JedisDataException error) {
            return error;
        }
    }

    private void received(@Nullable Object reply) {
        PipelinedRequest answered;
        StoreIncarnation process;
        lock.lock();
        try {
            answered = sent.poll();
            if (answered == null || incarnation == null) {
                throw new JedisConnectionException("the server sent what nobody asked for");
            }
            process = incarnation;
            unanswered = sent.size();
            owedBytes -= answered.size();
            lastReplyAt = System.nanoTime();
            doubted = false;
            if (reply instanceof JedisNoScriptException && answered.isToBeSentWithText()) {
                line.addFirst(answered);
                answered = null;
            }
            if (!line.isEmpty() && owedBytes <= WINDOW_BYTES / 2) {
                // Not for each reply: many requests then go with one write.
                writeLine();
            }
        } finally {
            lock.unlock();
        }
        if (answered != null) {
            answered.complete(reply, process);
        }
    }

    /** Writes as many requests as the connection surely takes. Called with the lock. */
    private void writeLine() {
        Connection open = connection;
        if (open == null || incarnation == null) {
            return;
        }
        long now = System.nanoTime();
        writingSince = now;
        try {
            boolean any = false;
            PipelinedRequest next = line.peek();
            while (next != null && (sent.isEmpty() || owedBytes + next.size() <= WINDOW_BYTES)) {
                // Before it is written: whatever is thrown, it may have been sent.
                sent.add(next);
                line.remove();
                owedBytes += next.size();
                next.write(open, now);
                any = true;
                next = line.peek();
            }
            if (any) {
                unanswered = sent.size();
                open.getMany(0); // sends what was written, and reads nothing
            }
        } catch (RuntimeException | Error broken) {
            // Perhaps half of a request was written. The thread that reads tells those who wait.
            LOG.log(Level.DEBUG, "a connection to Redis broke", broken);
            disconnect(open);
        } finally {
            writingSince = 0;
        }
    }

    /** Tells those who wait that the connection has ended. Answers whether there is to be another one at once. */
    private boolean ended(Throwable failure, boolean connected) {
        List<PipelinedRequest> failed = new ArrayList<>();
        boolean goesOn;
        Throwable why;
        Connection gone = connection;
        lock.lock();
        try {
            why = closed ? BackendException.closed(STORE) : failure;
            connection = null;
            incarnation = null;
            failed.addAll(sent);
            sent.clear();
            unanswered = 0;
            owedBytes = 0;
            if (closed || !connected) {
                failed.addAll(line);
                line.clear();
                refusal = failure;
                refusedUntil = System.nanoTime() + pauses.nextNanos();
            }
            goesOn = !line.isEmpty();
            if (!goesOn) {
                reader = null;
            }
        } finally {
            lock.unlock();
        }
        disconnect(gone);
        failed.forEach(request -> request.fail(why));
        return goesOn;
    }

    private static void disconnect(@Nullable Connection gone) {
        if (gone == null) {
            return;
        }
        try {
            gone.forceDisconnect();
        } catch (IOException | RuntimeException already) {
            LOG.log(Level.DEBUG, "the connection was closed already", already);
        }
    }

    /** Called with the lock. */
    private void checkNoLaterThan(long moment) {
        if (!checking || moment - checkAt < 0) {
            checking = true;
            checkAt = moment;
            deadlines.after(Math.max(0, moment - System.nanoTime()), () -> check(moment));
        }
    }

    /**
     * Fails what is late, and gives the connection up if the server is silent.
     *
     * @param moment for which this was planned; does nothing if an earlier check was planned since
     */
    private void check(long moment) {
        Connection open = connection;
        if (!lock.tryLock()) {
            long since = writingSince;
            if (since != 0 && System.nanoTime() - since > silenceNanos) {
                disconnect(open);
            }
            deadlines.after(LOOK_AGAIN_NANOS, () -> check(moment));
            return;
        }
        List<PipelinedRequest> neverSent = new ArrayList<>();
        List<PipelinedRequest> unanswered = new ArrayList<>();
        boolean silent;
        try {
            if (!checking || checkAt != moment) {
                return;
            }
            long now = System.nanoTime();
            checking = false;
            for (Iterator<PipelinedRequest> all = line.iterator(); all.hasNext(); ) {
                PipelinedRequest request = all.next();
                if (request.deadline() - now <= 0) {
                    all.remove();
                    neverSent.add(request);
                } else {
                    checkNoLaterThan(request.deadline());
                }
            }
            for (PipelinedRequest request : sent) {
                if (request.deadline() - now > 0) {
                    checkNoLaterThan(request.deadline());
                } else if (!request.isOverdue()) {
                    request.setOverdue();
                    unanswered.add(request);
                }
            }
            PipelinedRequest oldest = sent.peek();
            long quietSince = oldest == null ? now : Math.max(lastReplyAt - now, oldest.sentAt() - now) + now;
            boolean late = oldest != null && oldest.isOverdue();
            silent = late && now - quietSince >= silenceNanos;
            if (late && !silent) {
                checkNoLaterThan(quietSince + silenceNanos);
            }
        } finally {
            lock.unlock();
        }
        neverSent.forEach(request -> request.failLate(false));
        unanswered.forEach(request -> request.failLate(true));
        if (silent) {
            disconnect(open);
        }
    }

    /** Ends the connection. Requests that are open fail. */
    @Override
    public void close() {
        Connection open;
        List<PipelinedRequest> left = new ArrayList<>();
        lock.lock();
        try {
            closed = true;
            open = connection;
            if (reader == null) {
                left.addAll(line);
                line.clear();
            }
        } finally {
            lock.unlock();
        }
        disconnect(open);
        left.forEach(request -> request.fail(BackendException.closed(STORE)));
    }
}
