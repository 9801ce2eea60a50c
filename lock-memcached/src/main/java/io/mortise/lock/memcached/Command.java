// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached;

import io.mortise.lock.spi.BackendException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import net.spy.memcached.ops.OperationCallback;
import net.spy.memcached.ops.OperationState;
import net.spy.memcached.ops.OperationStatus;
import net.spy.memcached.protocol.binary.OperationImpl;
import org.jspecify.annotations.Nullable;

/**
 * One command of the binary protocol to one server. Unlike the driver's own it is sent on one given connection or not at
 * all, is never sent once it was given up, tells whether it was sent, and takes any answer for an answer.
 *
 * <p>The connection matters for commands that compare a version: a server that was restarted counts versions from the start
 * again, so one that was read before may be another item's. It has broken the connection, too.
 */
final class Command extends OperationImpl {
    private static final byte GET = 0x00;
    private static final byte SET = 0x01;
    private static final byte ADD = 0x02;
    private static final byte REPLACE = 0x03;
    private static final byte DELETE = 0x04;
    private static final byte APPEND = 0x0e;

    private static final int EXTRAS_OF_A_VALUE = 4;
    private static final AtomicInteger OPAQUE = new AtomicInteger();

    /** The driver tells us by other ways. */
    private static final OperationCallback NO_CALLBACK = new OperationCallback() {
        @Override
        public void receivedStatus(@Nullable OperationStatus status) {}

        @Override
        public void complete() {}
    };

    private final byte code;
    private final Contact contact;
    private final String key;
    private final byte[] value;
    private final long cas;
    private final int expiration;
    private final CompletableFuture<Reply> reply = new CompletableFuture<>();

    private Command(byte code, Contact contact, String key, byte[] value, long cas, int expiration) {
        super(code, OPAQUE.incrementAndGet(), NO_CALLBACK);
        this.code = code;
        this.contact = contact;
        this.key = key;
        this.value = value;
        this.cas = cas;
        this.expiration = expiration;
    }

    /** Reads an item and its version. */
    static Command get(Contact contact, String key) {
        return new Command(GET, contact, key, EMPTY_BYTES, 0, 0);
    }

    /** Stores an item, whatever is there. */
    static Command set(Contact contact, String key, byte[] value, int expiration) {
        return new Command(SET, contact, key, value, 0, expiration);
    }

    /** Stores an item if there is none. */
    static Command add(Contact contact, String key, byte[] value, int expiration) {
        return new Command(ADD, contact, key, value, 0, expiration);
    }

    /**
     * Stores an item in the place of a version of it. Not {@link #SET}: one that finds no memory removes the item, whichever
     * version it has.
     */
    static Command replace(Contact contact, String key, byte[] value, long cas, int expiration) {
        return new Command(REPLACE, contact, key, value, known(cas), expiration);
    }

    /** Adds to the end of a version of an item, and leaves its time as it is. */
    static Command append(Contact contact, String key, byte[] value, long cas) {
        return new Command(APPEND, contact, key, value, known(cas), 0);
    }

    /** Removes a version of an item. */
    static Command delete(Contact contact, String key, long cas) {
        return new Command(DELETE, contact, key, EMPTY_BYTES, known(cas), 0);
    }

    /** To memcached, version zero means any. */
    private static long known(long cas) {
        if (cas == 0) {
            throw new IllegalArgumentException("no version");
        }
        return cas;
    }

    /** Completes with the answer, or with a {@link BackendException} when there can be none any more. */
    CompletableFuture<Reply> reply() {
        return reply;
    }

    boolean changesItems() {
        return code != GET;
    }

    /** Nobody waits for it any more: it will not be sent if it was not yet. Tells whether it was. */
    synchronized boolean giveUp() {
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

    /** Asked by the driver's thread when it is about to send this. */
    @Override
    public synchronized boolean isTimedOut(long unused) {
        SocketChannel channel = getHandlingNode().getChannel();
        if (contact.isOver(channel)) {
            wasCancelled();
            return true;
        }
        return false;
    }

    /** Called by the driver when the connection is lost. */
    @Override
    protected void wasCancelled() {
        reply.completeExceptionally(
                new BackendException("the connection to memcached at " + contact.server() + " was lost", null));
    }

    @Override
    protected void finishedPayload(byte[] payload) {
        getHandlingNode().setContinuousTimeout(false);
        contact.heard(getWriteCompleteTimestamp());
        byte[] body = payload;
        if (code == GET && errorCode == Reply.OK) {
            body = new byte[payload.length - EXTRAS_OF_A_VALUE];
            System.arraycopy(payload, EXTRAS_OF_A_VALUE, body, 0, body.length);
        }
        reply.complete(new Reply(errorCode, responseCas, body));
        transitionState(OperationState.COMPLETE);
    }

    /** Without the value: it holds an owner. */
    @Override
    public String toString() {
        return "memcached command " + code + " on " + key;
    }
}
