// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static io.mortise.lock.tck.scene.Expect.freeWithin;
import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.refused;
import static io.mortise.lock.tck.scene.Expect.that;
import static io.mortise.lock.tck.scene.Expect.thrown;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import io.mortise.lock.tck.servers.RedisServer;
import io.mortise.lock.tck.servers.proxy.DropRule;
import io.mortise.lock.tck.servers.proxy.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Further cases of the suite, for locks in one Redis server: they look at its keys, or stand between it and a client. */
interface RedisCases {
    /** The server under test. */
    RedisServer server();

    /** A client of it, by another address. */
    LockBackend connect(String host, int port);

    /** A try of two calls may be cut off between them. */
    @Rule(
            says = "A client that dies in the middle of its try holds the lock for at most a lease.",
            because = "A lock that gets its end in a second call is held forever by a client that dies before it.")
    default void f1_aTryThatIsCutOffHoldsAtMostALease(Scene scene) throws Exception {
        String lock = scene.lock("lock");
        try (TcpProxy network = TcpProxy.to(server().host(), server().port())) {
            LockBackend dying = scene.recorded("A", connect(network.host(), network.port()));
            // The server knows the scripts from here on: what it is asked next says no more than their digests.
            granted(scene.claim(dying, scene.request(scene.lock("warm"), "A"))).release();
            network.dropNext(new DropRule(DropRule.What.REQUEST, "EXPIRE", DropRule.Then.CLOSE));
            RecordingClaim claim = scene.claim(dying, scene.request(lock, "A"));
            try {
                granted(claim);
            } catch (BackendException unanswered) {
                that(network.dropped() == 1, "nothing else is lost");
            }
            network.cut();
            freeWithin(scene, lock, scene.lease().plusSeconds(2).plus(scene.tolerance()));
        }
    }

    /** Nothing stays forever. */
    @Rule(
            says = "Every key of a lock has an end, at all times.",
            because = "Names are made from data: what is left of each fills the server.")
    default void f3_everyKeyHasAnEnd(Scene scene) {
        String lock = scene.lock("lock");
        RecordingClaim holder = granted(scene.claim("A", lock));
        allEnd(lock, 2);
        RecordingClaim waiting = RedisQueueCases.waiting(scene, "B", lock);
        refused(waiting);
        allEnd(lock, 2);
        that(holder.renew(), "the holder must still hold");
        allEnd(lock, 2);
        that(holder.release(), "the holder must still hold");
        allEnd(lock, 1);
        granted(waiting);
        allEnd(lock, 1);
    }

    /** Another application uses the key. */
    @Rule(
            says = "A foreign value under the lock's key is neither a free lock nor a held one, and stays as it is.",
            because = "Overwriting or deleting it destroys somebody's data; waiting for it to go may take forever.",
            needs = Feature.FENCED)
    default void f3_aForeignValueStays(Scene scene) {
        isAnErrorAndStays(
                scene, "hello", key -> server().command("SET", key, "hello"), key -> server().command("GET", key));
    }

    /** The same with another type. */
    @Rule(says = "The same is so for a key of another type.", because = "See the rule.", needs = Feature.FENCED)
    default void f3_aForeignTypeStays(Scene scene) {
        isAnErrorAndStays(
                scene, List.of("hello"), key -> server().command("RPUSH", key, "hello"), key -> server().command(
                                "LRANGE", key, "0", "-1"));
    }

    /** A lock that was restored or written by hand. */
    @Rule(
            says = "A lock without an end is an error for clients that want it.",
            because = "A client that waits for its end waits forever, and does not know why.",
            needs = Feature.FENCED)
    default void f3_aLockWithoutAnEndIsAnError(Scene scene) {
        String lock = scene.lock("lock");
        RecordingClaim holder = granted(scene.claim("A", lock));
        server().command("PERSIST", Claims.keys(lock).lock());
        thrown(BackendException.class, scene.claim("B", lock)::tryAcquire, "a lock without an end must not be a no");
        that(holder.renew(), "its holder gives it an end");
    }

    /** A counter that is ahead of the clock. */
    @Rule(
            says = "A token counter lives until the clock alone gives greater tokens.",
            because = "A counter that expires earlier starts again below what it has given.",
            needs = Feature.FENCED)
    default void i1_theCounterLivesUntilTheClockIsAheadOfIt(Scene scene) {
        String lock = scene.lock("lock");
        long ahead = Duration.ofHours(1).toMillis();
        long floor = (System.currentTimeMillis() + ahead) * 1_000;
        ClaimRequest usual = scene.request(lock, "A");
        granted(scene.claim(
                scene.backend("A"), new ClaimRequest(lock, usual.owner(), "A", usual.lease(), false, floor, 1)));
        long left = millisLeft(Claims.keys(lock).token());
        that(left > ahead, "the counter is an hour ahead of the clock and ends in " + left + " ms");
    }

    private void isAnErrorAndStays(Scene scene, Object value, Consumer<String> write, Function<String, Object> read) {
        String lock = scene.lock("lock");
        RecordingClaim holder = granted(scene.claim("A", lock));
        scene.faults().deleteBehindBack(lock);
        String key = Claims.keys(lock).lock();
        write.accept(key);
        String otherwise = "a foreign value must be an error";
        thrown(BackendException.class, scene.claim("B", lock)::tryAcquire, otherwise);
        thrown(BackendException.class, RedisQueueCases.waiting(scene, "C", lock)::tryAcquire, otherwise);
        thrown(BackendException.class, holder::renew, otherwise);
        thrown(BackendException.class, holder::release, otherwise);
        that(value.equals(read.apply(key)), "the foreign value has changed");
        server().command("DEL", key);
    }

    private void allEnd(String lock, int least) {
        Object keys = server().command("KEYS", "*" + lock + "*");
        if (!(keys instanceof List<?> found) || found.size() < least) {
            throw new AssertionError("the lock must have some keys, not " + keys);
        }
        for (Object key : found) {
            that(millisLeft(key.toString()) != -1, key + " has no end");
        }
    }

    private long millisLeft(String key) {
        return Long.parseLong(String.valueOf(server().command("PTTL", key)));
    }
}
