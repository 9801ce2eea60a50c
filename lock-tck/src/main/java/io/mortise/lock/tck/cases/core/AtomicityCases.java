// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.core;

import static io.mortise.lock.tck.scene.Expect.safe;

import io.mortise.lock.LockHolder;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.tck.cases.core.EdgeRace.Change;
import io.mortise.lock.tck.cases.core.EdgeRace.Deed;
import io.mortise.lock.tck.cases.core.EdgeRace.Round;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;

/** Cases about comparing and acting in one step: whatever a holder does when its lock becomes another's, nothing of the other's changes. */
public interface AtomicityCases {
    /** More than tokens rise by in a round: a thousand seconds, where they count microseconds. */
    long RAISED_BY = 1_000_000_000;

    @Rule(
            says =
                    "A release at the very end of the lease, however little before it or after, does not free the next holder's"
                            + " lock.",
            because = "Between a look at the owner and a delete there is always time for another to get the lock.")
    default void e1_aReleaseRacesWithTheEndOfItsLease(Scene scene) throws Exception {
        new EdgeRace(scene, Change.END_OF_LEASE, false, round -> round.old.release(round.atMost()), round -> {}).run();
    }

    @Rule(
            says =
                    "A release at the moment of a revocation at once does not free the next holder's lock; and of the two one"
                            + " at most answers true.",
            because = "The store took the lock away once; whoever is told that it did it by mistake is misled.",
            needs = Feature.REVOCABLE)
    default void e1_aReleaseRacesWithARevocation(Scene scene) throws Exception {
        new EdgeRace(
                        scene,
                        Change.REVOCATION,
                        false,
                        round -> round.old.release(round.atMost()),
                        round -> safe(
                                !round.saidYes() || !round.saidRevoked(),
                                "one lock was held once, but both its release and its revocation answered that they ended"
                                        + " that"))
                .run();
    }

    @Rule(
            says =
                    "A renewal at the very end of the lease either keeps the lock or says no; the next holder's lock is not"
                            + " touched.",
            because = "Between a look at the owner and a write there is always time for another to get the lock.")
    default void e2_aRenewalRacesWithTheEndOfItsLease(Scene scene) throws Exception {
        new EdgeRace(
                        scene,
                        Change.END_OF_LEASE,
                        true,
                        round -> round.old.renew(round.ample(), round.atMost()),
                        AtomicityCases::notRenewable)
                .run();
    }

    @Rule(
            says = "The same is so for claims that are renewed together.",
            because = "A batch that looks for its owners first, and writes then, does so for many.")
    default void e2_renewalsTogetherRaceWithTheEndsOfTheirLeases(Scene scene) throws Exception {
        Deed together = round -> round.ofOld
                        .renewAll(List.of(new Renewal(round.old, round.ample())), round.atMost())
                        .get(0)
                == Answer.YES;
        new EdgeRace(scene, Change.END_OF_LEASE, true, together, AtomicityCases::notRenewable).run();
    }

    @Rule(
            says = "A renewal at the moment of a revocation at once does not touch the next holder's lock.",
            because = "A renewal that writes what it read before brings the revoked holder back.",
            needs = Feature.REVOCABLE)
    default void e2_aRenewalRacesWithARevocation(Scene scene) throws Exception {
        Duration longer = scene.honoured(scene.limit().multipliedBy(10));
        new EdgeRace(scene, Change.REVOCATION, true, round -> round.old.renew(longer, round.atMost()), round -> {
                    notRenewable(round);
                    if (round.ofNext.features().contains(Feature.LISTABLE)) {
                        Duration most = round.ample().plusSeconds(2);
                        round.ofNext
                                .inspect(round.lock, round.atMost())
                                .flatMap(LockHolder::remaining)
                                .ifPresent(rest -> safe(
                                        rest.compareTo(most) <= 0,
                                        "the next holder asked for " + round.ample() + ", and " + rest
                                                + " are left: the renewal of the one before it did that"));
                    }
                })
                .run();
    }

    @Rule(
            says = "A repeated try at the very end of the lease either keeps the lock or is refused.",
            because =
                    "A try that finds its own grant, and extends it in a second step, takes the lock from the next holder.")
    default void e2_aRepeatedTryRacesWithTheEndOfItsLease(Scene scene) throws Exception {
        new EdgeRace(
                        scene,
                        Change.END_OF_LEASE,
                        true,
                        round -> round.old.tryAcquire(round.atMost()),
                        AtomicityCases::notRenewable)
                .renewedToLess()
                .run();
    }

    @Rule(
            says = "Of two tries that find a lease ended at the same moment, one is granted.",
            because = "Those who compare first, and write then, both write.")
    default void a1_triesRaceForAnEndedLease(Scene scene) throws Exception {
        Deed rival = round -> {
            ClaimRequest request = scene.request(round.lock, "C");
            Claim claim = round.ofOld.claim(
                    new ClaimRequest(round.lock, request.owner(), "C", round.ample(), false, 0, 1), () -> {});
            boolean granted = false;
            while (!granted && !round.isDecided()) {
                round.actsNow();
                granted = claim.tryAcquire(round.atMost());
                round.letGo();
            }
            round.heldBy(claim);
            return granted;
        };
        new EdgeRace(scene, Change.END_OF_LEASE, true, rival, round -> {})
                .asksUntilDecided()
                .run();
    }

    @Rule(
            says =
                    "A claim that raises the counter at the very end of its lease raises it before the next grant, or is told no; and"
                            + " the counter never falls.",
            because =
                    "The next holder's token is lower than what the claim was told that it would be, or equal to the next"
                            + " but one's.",
            needs = Feature.FENCED)
    default void i4_raisingRacesWithTheEndOfTheLease(Scene scene) throws Exception {
        // By nothing, too: it is what the counter was before the next grant, and so lowers it after that.
        ToLongFunction<Round> bound =
                round -> round.old.fencingToken() + (round.lock.hashCode() % 2 == 0 ? RAISED_BY : 0);
        Map<String, Long> last = new ConcurrentHashMap<>();
        Deed raise = round -> round.old.raiseToken(bound.applyAsLong(round), round.atMost());
        new EdgeRace(scene, Change.END_OF_LEASE, false, raise, round -> {
                    long token = round.next.fencingToken();
                    safe(
                            !round.saidYes() || token > bound.applyAsLong(round),
                            "a claim was told that it holds the lock and that later tokens are above "
                                    + bound.applyAsLong(round) + ", and the next one is " + token);
                    long before = last.getOrDefault(round.lock, 0L);
                    safe(
                            round.old.fencingToken() > before,
                            "the token " + round.old.fencingToken() + " was granted after " + before);
                    last.put(round.lock, token);
                })
                .run();
    }

    private static void notRenewable(Round round) {
        safe(
                !round.old.renew(round.ample(), round.atMost()),
                "a claim was renewed after the next holder had been granted the lock");
    }
}
