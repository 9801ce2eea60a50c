// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.SafetyLevel;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** Locks in the files of one directory: a right lock that processes share, without any feature. */
final class FileBackend implements LockBackend {
    private static final ReentrantLock ONE_AT_A_TIME = new ReentrantLock();

    private final Path directory;
    private volatile boolean closed;

    FileBackend(Path directory) {
        this.directory = directory;
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        return new InFile(request);
    }

    @Override
    public Set<Feature> features() {
        return Set.of();
    }

    @Override
    public SafetyLevel safetyLevel() {
        return SafetyLevel.SINGLE_STORE;
    }

    @Override
    public void close() {
        closed = true;
    }

    private interface Step {
        boolean run(Path file) throws IOException;
    }

    private boolean exclusively(String lock, Step step) {
        boolean interrupted = Thread.interrupted();
        ONE_AT_A_TIME.lock();
        try (FileChannel channel = FileChannel.open(
                        directory.resolve("all.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock held = channel.lock()) {
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
        private boolean released;

        private InFile(ClaimRequest request) {
            this.request = request;
        }

        @Override
        public boolean tryAcquire(Duration atMost) {
            return exclusively(request.lock(), file -> {
                boolean mayHave = !released && (isMine(file) || !isHeld(file));
                if (mayHave) {
                    write(file);
                }
                return mayHave;
            });
        }

        @Override
        public boolean renew(Duration atMost) {
            return exclusively(request.lock(), file -> {
                boolean mine = isMine(file);
                if (mine) {
                    write(file);
                }
                return mine;
            });
        }

        @Override
        public boolean release(Duration atMost) {
            return exclusively(request.lock(), file -> {
                released = true;
                return isMine(file) && Files.deleteIfExists(file);
            });
        }

        private boolean isMine(Path file) throws IOException {
            return isHeld(file) && Files.readString(file).startsWith(request.owner());
        }

        private boolean isHeld(Path file) throws IOException {
            return Files.exists(file)
                    && Long.parseLong(Files.readString(file).substring(33)) > System.currentTimeMillis();
        }

        private void write(Path file) throws IOException {
            long until = System.currentTimeMillis() + request.lease().toMillis() + 2;
            Files.writeString(file, request.owner() + " " + until);
        }
    }
}
