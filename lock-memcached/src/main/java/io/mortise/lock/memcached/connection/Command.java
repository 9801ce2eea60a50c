// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached.connection;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import net.spy.memcached.ops.OperationCallback;
import net.spy.memcached.ops.OperationState;
import net.spy.memcached.ops.OperationStatus;
import net.spy.memcached.protocol.binary.OperationImpl;
import org.jspecify.annotations.Nullable;

/**
 * A command of memcached's binary protocol to one server. Unlike a command of the driver's own, it is sent on one
 * given connection or not at all, it is not sent after it was given up, it knows whether it was sent, and it accepts
 * every status.
 *
 * <p>The connection matters for commands that compare a version: a server that was restarted counts versions from the start
 * again, so a version that was read before may be that of another item. The restart has broken the connection, too.
 */
public final class Command extends OperationImpl {
    private static final byte GET = 0x00;
    private static final byte SET = 0x01;
    private static final byte ADD = 0x02;
    private static final byte REPLACE = 0x03;
    private static final byte DELETE = 0x04;
    private static final byte APPEND = 0x0e;

    private static final int EXTRAS_OF_A_VALUE = 4;
    private static final AtomicInteger OPAQUE = new AtomicInteger();

    /** The methods of this class receive the answer before the driver's callback would. */
    private static final OperationCallback NO_CALLBACK = new OperationCallback() {
        @Override
        public void receivedStatus(@Nullable OperationStatus status) {}

        @Override
        public void complete() {}
    };

    /** What a server answered; {@code cas} is the version of the item, and {@code body} its value or the reason of a failure. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Reply(int status, long cas, byte[] body) {
        public static final int OK = 0x00;
        public static final int NOT_FOUND = 0x01;
        public static final int EXISTS = 0x02;
        public static final int NOT_STORED = 0x05;
    }

    private final byte code;
    private final LiveConnection connection;
    private final String key;
    private final byte[] value;
    private final long cas;
    private final int expiration;
    private final CompletableFuture<Reply> reply = new CompletableFuture<>();

    private Command(byte code, LiveConnection connection, String key, byte[] value, long cas, int expiration) {
        super(code, OPAQUE.incrementAndGet(), NO_CALLBACK);
        this.code = code;
        this.connection = connection;
        this.key = key;
        this.value = value;
        this.cas = cas;
        this.expiration = expiration;
    }

    public static Command get(LiveConnection connection, String key) {
        return new Command(GET, connection, key, EMPTY_BYTES, 0, 0);
    }

    /** Stores an item, whatever is there. */
    public static Command set(LiveConnection connection, String key, byte[] value, int expiration) {
        return new Command(SET, connection, key, value, 0, expiration);
    }

    /** Stores an item if there is none. */
    public static Command add(LiveConnection connection, String key, byte[] value, int expiration) {
        return new Command(ADD, connection, key, value, 0, expiration);
    }

    /** Stores an item in the place of one version of it. Not with SET, which without memory removes the item in any version. */
    public static Command replace(LiveConnection connection, String key, byte[] value, long cas, int expiration) {
        return new Command(REPLACE, connection, key, value, known(cas), expiration);
    }

    /** Adds to the end of a version of an item, and leaves its expiry as it is. */
    public static Command append(LiveConnection connection, String key, byte[] value, long cas) {
        return new Command(APPEND, connection, key, value, known(cas), 0);
    }

    /** Removes a version of an item. */
    public static Command delete(LiveConnection connection, String key, long cas) {
        return new Command(DELETE, connection, key, EMPTY_BYTES, known(cas), 0);
    }

    /** To memcached, version zero means any. */
    private static long known(long cas) {
        if (cas == 0) {
            throw new IllegalArgumentException("no version");
        }
        return cas;
    }

    /** Completes with the answer, or is cancelled when there can be none any more. */
    public CompletableFuture<Reply> reply() {
        return reply;
    }

    boolean changesItems() {
        return code != GET;
    }

    /** Cancels the command if it was not sent yet; returns whether it was sent. */
    public synchronized boolean giveUp() {
        boolean sent = getState() != OperationState.WRITE_QUEUED;
        if (!sent) {
            cancel();
        }
        return sent;
    }

    @Override
    public void initialize() {
        switch (code) {
            case SET, ADD, REPLACE -> prepareBuffer(key, cas, value, 0, expiration);
            default -> prepareBuffer(key, cas, value);
        }
    }

    /** Called by the driver's thread when it is about to send this: only now the connection is known. */
    @Override
    public synchronized boolean isTimedOut(long unused) {
        boolean tooLate = connection.isReplacedBy(getHandlingNode().getChannel());
        if (tooLate) {
            wasCancelled();
        }
        return tooLate;
    }

    /** Called by the driver when the connection is lost. */
    @Override
    protected void wasCancelled() {
        reply.cancel(false);
    }

    @Override
    protected void finishedPayload(byte[] payload) {
        getHandlingNode().setContinuousTimeout(false);
        connection.answered(getWriteCompleteTimestamp());
        int extras = code == GET && errorCode == Reply.OK ? EXTRAS_OF_A_VALUE : 0;
        reply.complete(new Reply(errorCode, responseCas, Arrays.copyOfRange(payload, extras, payload.length)));
        transitionState(OperationState.COMPLETE);
    }

    /** Without the value: it holds an owner. */
    @Override
    public String toString() {
        return "memcached command " + code + " on " + key;
    }
}
