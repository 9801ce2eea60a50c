// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd.gateway;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hears of every change of a key below a prefix, over one connection of its own, which is made anew when it breaks. What is
 * changed meanwhile is not told. Thread-safe.
 */
public final class KeyWatch implements AutoCloseable {
    private static final long PAUSE_MILLIS = 200;

    private final Gateway gateway;
    private final String prefix;
    private final Consumer<Change> changed;
    private final Runnable connected;
    private @Nullable Stream stream;
    private boolean closed;

    /**
     * A key was written or deleted.
     *
     * @param deleted whether it is gone now
     * @param value what it has since then; or had until then, if it is gone, and empty if that is not known any more
     */
    public record Change(String key, boolean deleted, String value) {
        private static Change of(Json event) {
            KeyValue now = KeyValue.of(event.object("kv"));
            boolean deleted = event.text("type").equals("DELETE");
            return new Change(
                    now.key(),
                    deleted,
                    deleted ? KeyValue.of(event.object("prev_kv")).value() : now.value());
        }
    }

    /**
     * Hears nothing before {@link #start()}.
     *
     * @param changed takes the changes in their order; quick, never throws
     * @param connected is told when everything that is changed from now on will be heard; quick, never throws
     */
    public KeyWatch(Gateway gateway, String prefix, Consumer<Change> changed, Runnable connected) {
        this.gateway = gateway;
        this.prefix = prefix;
        this.changed = changed;
        this.connected = connected;
    }

    /** Begins to hear. Idempotent; does not wait. */
    public void start() {
        gateway.whenMoved(this::restart);
        open(null);
    }

    /** Opens a stream in place of one that has ended. */
    @SuppressWarnings("CatchingUnchecked")
    private synchronized void open(@Nullable Stream ended) {
        if (closed || stream != ended) {
            return;
        }
        Stream next = new Stream();
        stream = next;
        CompletableFuture<?> end;
        try {
            end = gateway.stream(
                    "watch",
                    Map.of(
                            "create_request",
                            Map.of(
                                    "key", KeyValue.encoded(prefix),
                                    "range_end", KeyValue.encoded(Transaction.endOf(prefix)),
                                    "prev_kv", true)),
                    next);
        } catch (Throwable failure) {
            // Errors too: without a stream nobody would be told again.
            end = CompletableFuture.failedFuture(failure);
        }
        CompletableFuture<?> unused = end.whenComplete((response, failure) -> later(next));
    }

    private void later(Stream ended) {
        CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS).execute(() -> open(ended));
    }

    private void restart() {
        Stream now;
        synchronized (this) {
            now = stream;
        }
        if (now != null) {
            now.cancel();
            later(now);
        }
    }

    @Override
    public void close() {
        Stream last;
        synchronized (this) {
            closed = true;
            last = stream;
        }
        if (last != null) {
            last.cancel();
        }
    }

    /** One connection. */
    private final class Stream implements Flow.Subscriber<String> {
        private Flow.@Nullable Subscription subscription;
        private boolean cancelled;

        @Override
        public void onSubscribe(Flow.Subscription given) {
            boolean unwanted;
            synchronized (this) {
                subscription = given;
                unwanted = cancelled;
            }
            if (unwanted) {
                given.cancel();
            } else {
                given.request(Long.MAX_VALUE);
            }
        }

        @Override
        public void onNext(String line) {
            Json result;
            try {
                result = Json.read(line).object("result");
            } catch (IOException foreign) {
                return;
            }
            if (result.isTrue("created")) {
                connected.run();
            }
            result.objects("events").forEach(event -> changed.accept(Change.of(event)));
            if (result.isTrue("canceled")) {
                cancel();
                later(this);
            }
        }

        @Override
        public void onError(Throwable failure) {
            // The request ends, too.
        }

        @Override
        public void onComplete() {
            // The request ends, too.
        }

        private void cancel() {
            Flow.Subscription now;
            synchronized (this) {
                cancelled = true;
                now = subscription;
            }
            if (now != null) {
                now.cancel();
            }
        }
    }
}
