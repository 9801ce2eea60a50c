// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.SafetyLevel;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Locks in the files of one directory, which processes share: right ones, and some that processes show to be wrong. */
public final class FileBackend implements LockBackend {
    /** How the locks are kept. */
    public enum Kind {
        /** Right, with tokens. */
        FENCED,
        /** Right, with whole seconds for leases and nothing beyond exclusion, as in a cache. */
        COARSE,
        /** Wrong: the second grant has the token of the first. */
        EQUAL_TOKENS,
        /** Wrong: what a client finds when it starts is taken for a leftover of its last run. */
        TAKES_LEFTOVERS,
        /** Wrong: the end of a lease is written and read in the time of each client. */
        CLIENTS_CLOCKS,
        /** Wrong: a lock is held until it is released. */
        UNTIL_RELEASED
    }

    /** The variable that says by how many milliseconds the clock of a process is ahead of the store's. */
    private static final String AHEAD = "MORTISE_TEST_CLOCK_AHEAD";

    private static final long AHEAD_MILLIS = Long.parseLong(System.getenv().getOrDefault(AHEAD, "0"));

    /** A lock that was taken this long ago at most was not left by anybody. */
    private static final long FRESH_MILLIS = 40;

    private static final ReentrantLock ONE_AT_A_TIME = new ReentrantLock();

    private final Path directory;
    private final Kind kind;
    private final AtomicBoolean started = new AtomicBoolean();
    private volatile boolean closed;

    /**
     * A client.
     *
     * @param directory where the files are
     * @param kind how the locks are kept
     */
    public FileBackend(Path directory, Kind kind) {
        this.directory = directory;
        this.kind = kind;
    }

    /**
     * What a process has in its environment whose clock is not the store's.
     *
     * @param ahead by how much
     * @return the variable
     */
    public static Map<String, String> environmentWithClock(Duration ahead) {
        return Map.of(AHEAD, String.valueOf(ahead.toMillis()));
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        return new InFile(request);
    }

    @Override
    public Set<Feature> features() {
        return kind == Kind.COARSE ? Set.of() : Set.of(Feature.FENCED);
    }

    @Override
    public SafetyLevel safetyLevel() {
        return kind == Kind.COARSE ? SafetyLevel.BEST_EFFORT : SafetyLevel.SINGLE_STORE;
    }

    @Override
    public LeaseBounds leaseBounds() {
        return kind == Kind.COARSE ? new LeaseBounds(Duration.ofSeconds(1), Duration.ofDays(30)) : LeaseBounds.WIDEST;
    }

    /** All in one go: one at a time they would be too slow for many. */
    @Override
    public List<Answer> renewAll(List<Renewal> renewals, Duration atMost) {
        List<Answer> answers = new ArrayList<>();
        exclusively("", atMost, unused -> {
            for (Renewal renewal : renewals) {
                InFile mine = (InFile) renewal.claim();
                Path file = directory.resolve(hash(mine.request.lock()));
                answers.add(mine.renew(file, renewal.lease()) ? Answer.YES : Answer.NO);
            }
            return true;
        });
        return answers;
    }

    @Override
    public void close() {
        closed = true;
    }

    private interface Step {
        boolean run(Path file) throws IOException;
    }

    private boolean exclusively(String lock, Duration atMost, Step step) {
        boolean interrupted = Thread.interrupted();
        ONE_AT_A_TIME.lock();
        try (FileChannel channel = FileChannel.open(
                        directory.resolve("all.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock held = lock(channel, atMost)) {
            if (closed || !held.isValid()) {
                throw new BackendException("this client is closed", null);
            }
            return step.run(directory.resolve(hash(lock)));
        } catch (IOException failure) {
            throw new BackendException("the directory did not answer", failure);
        } finally {
            ONE_AT_A_TIME.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Not for ever: a process may have been frozen between two steps. */
    private static FileLock lock(FileChannel channel, Duration atMost) throws IOException {
        long start = System.nanoTime();
        FileLock held = channel.tryLock();
        while (held == null) {
            if (System.nanoTime() - start > atMost.toNanos()) {
                throw new IOException("another process has had it for " + atMost.toMillis() + " ms");
            }
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200));
            held = channel.tryLock();
        }
        return held;
    }

    /** All or nothing: a process may be killed between two steps. */
    private static void put(Path file, String text) throws IOException {
        Path whole = Files.writeString(file.resolveSibling("next"), text);
        Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static String hash(String lock) {
        try {
            StringBuilder units = new StringBuilder();
            lock.chars().forEach(unit -> units.append(unit).append(','));
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return new BigInteger(1, digest.digest(units.toString().getBytes(StandardCharsets.US_ASCII))).toString(36);
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private final class InFile implements Claim {
        private final ClaimRequest request;
        private long fence;
        private boolean released;

        private InFile(ClaimRequest request) {
            this.request = request;
        }

        @Override
        public boolean tryAcquire(Duration atMost) {
            boolean leftover = kind == Kind.TAKES_LEFTOVERS && started.compareAndSet(false, true);
            if (leftover) {
                awaitHolder(atMost);
            }
            return exclusively(request.lock(), atMost, file -> {
                boolean busy = isHeld(file) && !isMine(file) && !leftover;
                if (released || busy) {
                    return false;
                }
                if (!isMine(file) && kind != Kind.COARSE) {
                    fence = nextToken(counter(file));
                }
                write(file, request.lease());
                return true;
            });
        }

        @Override
        public boolean renew(Duration lease, Duration atMost) {
            return exclusively(request.lock(), atMost, file -> renew(file, lease));
        }

        private boolean renew(Path file, Duration lease) throws IOException {
            boolean mine = isMine(file);
            if (mine) {
                write(file, lease);
            }
            return mine;
        }

        @Override
        public boolean release(Duration atMost) {
            return exclusively(request.lock(), atMost, file -> {
                released = true;
                return isMine(file) && Files.deleteIfExists(file);
            });
        }

        @Override
        public long fencingToken() {
            return fence;
        }

        @Override
        public boolean raiseToken(long token, Duration atMost) {
            if (kind == Kind.COARSE) {
                return Claim.super.raiseToken(token, atMost);
            }
            return exclusively(request.lock(), atMost, file -> {
                boolean mine = isMine(file);
                if (mine && last(counter(file)) < token) {
                    put(counter(file), Long.toString(token));
                }
                return mine;
            });
        }

        private boolean isMine(Path file) throws IOException {
            return isHeld(file) && Files.readString(file).startsWith(request.owner());
        }

        /** Comes at the worst moment: when another has just begun, if one does soon. */
        private void awaitHolder(Duration atMost) {
            long start = System.nanoTime();
            while (System.nanoTime() - start < request.lease().toNanos()
                    && !exclusively(request.lock(), atMost, this::isFresh)) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            }
        }

        private boolean isFresh(Path file) throws IOException {
            return Files.exists(file) && ends(file) - now() > request.lease().toMillis() - FRESH_MILLIS;
        }

        private boolean isHeld(Path file) throws IOException {
            return Files.exists(file) && (kind == Kind.UNTIL_RELEASED || ends(file) > now());
        }

        private long ends(Path file) throws IOException {
            return Long.parseLong(Files.readString(file).substring(33));
        }

        /** Processes of one machine have one clock, which is the store's. */
        private long now() {
            return System.currentTimeMillis() + (kind == Kind.CLIENTS_CLOCKS ? AHEAD_MILLIS : 0);
        }

        private void write(Path file, Duration lease) throws IOException {
            Duration life = lease.plusMillis(2);
            if (kind == Kind.COARSE) {
                life = Duration.ofSeconds(lease.toSeconds() + 1);
            }
            put(file, request.owner() + " " + (now() + life.toMillis()));
        }

        private long nextToken(Path counter) throws IOException {
            long last = Math.max(last(counter), request.tokenFloor());
            long token = Math.max(last + 1, System.currentTimeMillis() * 1_000);
            if (kind == Kind.EQUAL_TOKENS) {
                put(counter, Long.toString(last > 0 ? last : token));
                return last > 0 ? last : token;
            }
            put(counter, Long.toString(token + request.tokenCount() - 1));
            return token;
        }

        private long last(Path counter) throws IOException {
            return Files.exists(counter) ? Long.parseLong(Files.readString(counter)) : 0;
        }

        private Path counter(Path file) {
            return file.resolveSibling(file.getFileName() + ".token");
        }
    }
}
