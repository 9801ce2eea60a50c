// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd.gateway;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hears of every key that is deleted below a prefix, over one connection of its own, which is made anew when it breaks. What
 * is deleted meanwhile is not told. Thread-safe.
 */
public final class DeleteWatch implements AutoCloseable {
    private static final long PAUSE_MILLIS = 200;

    private final Gateway gateway;
    private final String prefix;
    private final Consumer<String> deleted;
    private final Runnable connected;
    private @Nullable Stream stream;
    private boolean closed;

    /**
     * Hears nothing before {@link #start()}.
     *
     * @param deleted takes the keys; quick, never throws
     * @param connected is told when everything that is deleted from now on will be heard; quick, never throws
     */
    public DeleteWatch(Gateway gateway, String prefix, Consumer<String> deleted, Runnable connected) {
        this.gateway = gateway;
        this.prefix = prefix;
        this.deleted = deleted;
        this.connected = connected;
    }

    /** Begins to hear. Idempotent; does not wait. */
    public void start() {
        gateway.whenMoved(this::restart);
        open(null);
    }

    /** Opens a stream in place of one that has ended. */
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
                                    "filters", List.of("NOPUT"))),
                    next);
        } catch (RuntimeException failure) {
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
            result.objects("events")
                    .forEach(event ->
                            deleted.accept(KeyValue.of(event.object("kv")).key()));
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
