// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd.gateway;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.support.CallDeadline;
import io.mortise.lock.spi.support.DaemonExecutor;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to the HTTP gateway of one member of etcd, and to the next one when that member does not answer. A request that
 * changes keys is sent once; only what may be repeated without harm is sent to another member within the same call. Thread-safe.
 */
public final class Gateway implements AutoCloseable {
    /** The store's name in messages. */
    public static final String STORE = "etcd";

    private static final String AUTH_IS_OLD = "auth store is old";
    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;
    private static final int SERVER_ERROR = 500;
    private static final int SHOWN = 80;
    private static final int MOST_CALLS = 64;
    private static final Duration LONGEST_TIMEOUT = Duration.ofDays(1);
    private static final Duration REVOKED_LATER = Duration.ofSeconds(2);

    /** Less is too little for one member: two of them that are given half of a short call may both be too late. */
    private static final long LEAST_PART_NANOS = Duration.ofMillis(250).toNanos();

    private final List<URI> members;
    private final Optional<Credentials> credentials;
    private final HttpRequests http;
    private final DaemonExecutor calls = new DaemonExecutor("lock-etcd", MOST_CALLS);

    /** Counts up; modulo the number of members, the one that is asked. */
    private final AtomicInteger current = new AtomicInteger();

    /** A term of the consensus that each member has reached, by its number: an address may be that of several. */
    private final Map<String, Long> terms = new ConcurrentHashMap<>();

    private volatile Runnable moved = () -> {};
    private volatile String authorization = "";
    private volatile boolean closed;

    /**
     * Asks nothing yet.
     *
     * @param members the addresses of the members, such as {@code http://localhost:2379}; at least one
     * @param tls whom to trust, or empty for whom the JVM trusts
     */
    public Gateway(List<URI> members, Optional<Credentials> credentials, Optional<SSLContext> tls) {
        this.members = List.copyOf(members);
        this.credentials = credentials;
        http = new HttpRequests(tls);
    }

    /** A lease of etcd. */
    public record GrantedLease(long id, long ttlSeconds, long revision, long serverSeconds) {}

    /** Makes a lease. One whose answer is lost ends by itself, since nothing depends on it. */
    public GrantedLease grantLease(long ttlSeconds, CallDeadline deadline) throws InterruptedException {
        Answer answer = call("lease/grant", Map.of("TTL", String.valueOf(ttlSeconds)), true, deadline);
        return new GrantedLease(
                answer.body().number("ID"), answer.body().number("TTL"), answer.revision(), answer.serverSeconds());
    }

    /**
     * That a lease has begun anew.
     *
     * @param lives false if it has ended
     * @param term in which the leader was elected that has said so, or an earlier one
     * @param serverSeconds the time of the member that answered, in seconds since 1970
     */
    public record KeptAlive(boolean lives, long term, long serverSeconds) {
        /**
         * Whether the leader that has said so was still the leader afterwards. One that is cut off, or was stopped, does not know that
         * another one counts the leases now; and nobody leads in a term that is over.
         *
         * @param later the outcome of a transaction that was begun after the answer
         */
        public boolean isConfirmedBy(Transaction.Outcome later) {
            return later.term() == term;
        }
    }

    /** Lets a lease begin anew, if a later transaction confirms it. */
    public KeptAlive keepAlive(long lease, CallDeadline deadline) throws InterruptedException {
        Answer answer = call("lease/keepalive", id(lease), true, deadline);
        return new KeptAlive(
                answer.body().object("result").number("TTL") > 0, answer.memberTermBefore(), answer.serverSeconds());
    }

    /** Ends a lease and deletes what has it; harmless if it has ended. */
    public void revokeLease(long lease, CallDeadline deadline) throws InterruptedException {
        try {
            send("lease/revoke", id(lease), true, deadline);
        } catch (RefusedRequest refused) {
            if (refused.refusal.code() != RefusalException.NOT_FOUND) {
                throw refused.exception;
            }
        }
    }

    /** Ends a lease that nothing has any more. Does not wait for it, and does not care: it ends by itself, too. */
    public void revokeLater(long lease) {
        if (!closed) {
            CompletableFuture<?> unused = begin(current.get(), "lease/revoke", id(lease), REVOKED_LATER);
        }
    }

    /**
     * How long a lease still lasts.
     *
     * @param seconds whole seconds from now; negative if it has ended
     * @param granted for how many seconds it was granted or begun anew
     * @param term in which the leader was elected that has said so, or an earlier one
     */
    public record LeaseLeft(long seconds, long granted, long term) {}

    /** How long a lease still lasts, as a leader says that {@link KeptAlive#isConfirmedBy} might not confirm. */
    public LeaseLeft leaseLeft(long lease, CallDeadline deadline) throws InterruptedException {
        Answer answer = call("lease/timetolive", id(lease), true, deadline);
        return new LeaseLeft(
                answer.body().number("TTL"), answer.body().number("grantedTTL"), answer.memberTermBefore());
    }

    private static Map<String, String> id(long lease) {
        return Map.of("ID", String.valueOf(lease));
    }

    /** Does operations that only read, all in one state of the store that is no older than the question. */
    public Transaction.Outcome read(CallDeadline deadline, Transaction.Operation... operations)
            throws InterruptedException {
        return Transaction.Outcome.of(
                call("kv/txn", new Transaction().then(operations).json(), true, deadline));
    }

    /** Does a transaction, once; empty if it did nothing because a lease that it names has ended. */
    public Optional<Transaction.Outcome> commit(Transaction transaction, CallDeadline deadline)
            throws InterruptedException {
        try {
            return Optional.of(Transaction.Outcome.of(send("kv/txn", transaction.json(), false, deadline)));
        } catch (RefusedRequest refused) {
            if (refused.refusal.code() == RefusalException.NOT_FOUND) {
                return Optional.empty();
            }
            throw refused.exception;
        }
    }

    private Answer call(String path, Map<String, ?> body, boolean repeatable, CallDeadline deadline)
            throws InterruptedException {
        try {
            return send(path, body, repeatable, deadline);
        } catch (RefusedRequest refused) {
            throw refused.exception;
        }
    }

    /** A request that a member did not execute, and what this means unless the caller knows better. */
    private static final class RefusedRequest extends Exception {
        private static final long serialVersionUID = 1L;

        private final RefusalException refusal;
        private final RuntimeException exception;

        RefusedRequest(RefusalException refusal, RuntimeException exception) {
            super(refusal);
            this.refusal = refusal;
            this.exception = exception;
        }
    }

    private Answer send(String path, Map<String, ?> body, boolean repeatable, CallDeadline deadline)
            throws InterruptedException, RefusedRequest {
        boolean signedInAnew = false;
        for (int tries = 1; ; tries++) {
            int member = current.get();
            try {
                signIn(member, deadline);
                return ask(member, path, body, part(repeatable, deadline));
            } catch (RefusalException refusal) {
                boolean forgotten = refusal.code() == RefusalException.UNAUTHENTICATED
                        || String.valueOf(refusal.getMessage()).contains(AUTH_IS_OLD);
                if (forgotten && credentials.isPresent() && !signedInAnew) {
                    signedInAnew = true;
                    authorization = "";
                    continue;
                }
                RuntimeException exception = failures(member).exceptionFor(refusal);
                if (!isUnanswered(exception) || refusal.code() == RefusalException.NOT_FOUND) {
                    throw new RefusedRequest(refusal, exception);
                }
                moveOn(member);
                throwUnlessRepeated(repeatable, tries, exception, deadline);
            } catch (IOException failure) {
                moveOn(member);
                boolean unsent = failure instanceof ConnectException || failure.getCause() instanceof ConnectException;
                throwUnlessRepeated(
                        repeatable || unsent, tries, failures(member).exceptionFor(failure), deadline);
            } catch (BackendException unanswered) {
                if (isUnanswered(unanswered)) {
                    moveOn(member);
                }
                throwUnlessRepeated(repeatable, tries, unanswered, deadline);
            }
        }
    }

    /** Leaves some time for another member, if the request may be repeated there and there is enough. */
    private CallDeadline part(boolean repeatable, CallDeadline deadline) {
        long half = deadline.remainingNanos() / 2;
        return repeatable && members.size() > 1 && half >= LEAST_PART_NANOS
                ? deadline.within(Duration.ofNanos(half))
                : deadline;
    }

    private static boolean isUnanswered(RuntimeException failure) {
        return failure instanceof BackendException unanswered && unanswered.kind() == BackendException.Kind.NO_ANSWER;
    }

    private void throwUnlessRepeated(boolean repeatable, int tries, RuntimeException failure, CallDeadline deadline) {
        if (!repeatable || !isUnanswered(failure) || tries >= members.size() || deadline.hasPassed()) {
            throw failure;
        }
    }

    private EtcdFailures failures(int member) {
        return EtcdFailures.of(address(member));
    }

    private URI address(int member) {
        return members.get(Math.floorMod(member, members.size()));
    }

    /** The member that was asked has not answered: the next one is asked from now on. */
    private void moveOn(int member) {
        if (members.size() > 1 && current.compareAndSet(member, member + 1)) {
            moved.run();
        }
    }

    /** Is told when another member is asked from now on. Quick, never throws. */
    void whenMoved(Runnable listener) {
        moved = listener;
    }

    private void signIn(int member, CallDeadline deadline) throws IOException, InterruptedException {
        if (credentials.isPresent() && authorization.isEmpty()) {
            Credentials known = credentials.get();
            Answer answer = ask(
                    member, "auth/authenticate", Map.of("name", known.user(), "password", known.password()), deadline);
            authorization = answer.body().text("token");
        }
    }

    private Answer ask(int member, String path, Map<String, ?> body, CallDeadline deadline)
            throws IOException, InterruptedException {
        ensureOpen();
        Duration left = Duration.ofNanos(Math.max(1, deadline.remainingNanos()));
        Map<String, Long> termsBefore = Map.copyOf(terms);
        CompletableFuture<HttpRequests.Response> response =
                begin(member, path, body, left.compareTo(LONGEST_TIMEOUT) < 0 ? left : LONGEST_TIMEOUT);
        try {
            Answer answer = answer(deadline.await(response), termsBefore);
            if (answer.term() > 0) {
                terms.put(answer.member(), answer.term());
            }
            return answer;
        } catch (ExecutionException failed) {
            throw ioException(failed.getCause());
        }
    }

    private static IOException ioException(@Nullable Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof Error error) {
            throw error;
        }
        if (cause instanceof BackendException closed) {
            throw closed;
        }
        return cause instanceof IOException io ? io : new IOException(cause);
    }

    private CompletableFuture<HttpRequests.Response> begin(
            int member, String path, Map<String, ?> body, Duration atMost) {
        CompletableFuture<HttpRequests.Response> response = new CompletableFuture<>();
        String token = authorization;
        try {
            calls.execute(() -> {
                try {
                    response.complete(http.post(address(member, path), Json.write(body), token, atMost));
                } catch (Throwable failure) {
                    response.completeExceptionally(failure);
                }
            });
        } catch (RejectedExecutionException closedMeanwhile) {
            response.completeExceptionally(BackendException.closed(STORE));
        }
        return response;
    }

    private URI address(int member, String path) {
        return address(member).resolve("/v3/" + path);
    }

    private static Answer answer(HttpRequests.Response response, Map<String, Long> termsBefore) throws IOException {
        if (response.status() == UNAUTHORIZED) {
            // The JDK's client keeps what etcd says of it to itself.
            throw new RefusalException(RefusalException.UNAUTHENTICATED, "HTTP status 401: the user is not signed in");
        }
        Json body;
        try {
            body = Json.read(response.body());
        } catch (IOException foreign) {
            String message = "HTTP status " + response.status() + ": "
                    + response.body()
                            .strip()
                            .substring(
                                    0, Math.min(SHOWN, response.body().strip().length()));
            throw response.status() >= SERVER_ERROR ? new IOException(message) : new RefusalException(-1, message);
        }
        throwRefusal(body);
        if (response.status() != OK) {
            throw new IOException("HTTP status " + response.status());
        }
        return new Answer(body, serverSeconds(response), termsBefore);
    }

    /** Refusals of streams have an object, and others a text. */
    private static void throwRefusal(Json body) throws RefusalException {
        Json ofStream = body.object("error");
        if (!ofStream.values().isEmpty()) {
            throw new RefusalException((int) ofStream.number("grpc_code"), ofStream.text("message"));
        }
        if (!body.text("error").isEmpty()) {
            throw new RefusalException((int) body.number("code"), body.text("error"));
        }
    }

    private static long serverSeconds(HttpRequests.Response response) {
        try {
            return response.date()
                    .map(date -> Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date))
                            .getEpochSecond())
                    .orElse(0L);
        } catch (DateTimeException foreign) {
            return 0;
        }
    }

    /**
     * Begins a stream of answers, a line each.
     *
     * @return ends when the stream has ended
     */
    CompletableFuture<HttpResponse<Void>> stream(String path, Map<String, ?> body, Flow.Subscriber<String> lines) {
        return http.stream(address(current.get(), path), Json.write(body), authorization, lines);
    }

    /** Throws {@link BackendException} if this is closed. */
    public void ensureOpen() {
        if (closed) {
            throw BackendException.closed(STORE);
        }
    }

    /** Sends no more requests. Idempotent. */
    @Override
    public void close() {
        closed = true;
        calls.shutdown();
    }
}
