// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import io.mortise.lock.spi.LockBackend;
import java.util.List;
import java.util.function.Function;

/**
 * A deliberately wrong lock, and the case that must catch it: a small one that people write, or ours with one line changed.
 *
 * @param mistake what is wrong with it
 * @param open makes a client, from a URL
 * @param caughtBy the case that must fail
 */
record WrongLock(String mistake, Function<String, LockBackend> open, String caughtBy) {
    private static final String FOREIGN = "not token then\n    return nil, redis.error_reply(FOREIGN)";
    private static final String FOREIGN_TYPE =
            "'WRONGTYPE', 1, true) then\n      return nil, redis.error_reply(FOREIGN)";

    static final List<WrongLock> SMALL = List.of(
            new WrongLock(
                    "W1: gives the lock an end in a second call",
                    WrongLocks.ExpiresInASecondCall::new,
                    "f1_aTryThatIsCutOffHoldsAtMostALease"),
            new WrongLock(
                    "W2: two who find the end passed overwrite each other's",
                    WrongLocks.StealsByTheClock::new,
                    "a1_oneOfManyTakesOverAnEndedLease"),
            new WrongLock(
                    "W2: compares the end with the client's clock",
                    WrongLocks.StealsByItsOwnClock::new,
                    "a1_secondClientIsRefusedWhileHeld"),
            new WrongLock(
                    "W3: deletes without asking whose it is",
                    WrongLocks.DeletesAnybodys::new,
                    "e1_staleReleaseDoesNotFreeTheNextHolder"),
            new WrongLock(
                    "W4: compares, and deletes in a second call",
                    WrongLocks.ComparesThenDeletes::new,
                    "e1_releaseAtTheEndOfTheLeaseIsAtomic"),
            new WrongLock(
                    "W5: rounds the lease to seconds", WrongLocks.RoundsToSeconds::new, "f2_shortLeasesAreHonoured"),
            new WrongLock(
                    "W19: tells the waiters before it deletes",
                    WrongLocks.TellsBeforeItDeletes::new,
                    "k1_aReleaseNudgesAWaitingClaim"),
            new WrongLock(
                    "looks, and listens after that",
                    WrongLocks.LooksBeforeItListens::new,
                    "k1_aReleaseAtAnyMomentWakesTheWaiter"));

    static final List<WrongLock> OURS = List.of(
            edited(
                    "counts on a lease that began with the grant",
                    "    redis.call('PEXPIRE', lock, lease)\n    return {1, holder.token}",
                    "    return {1, holder.token}",
                    "f4_aGrantByAReleaseLastsAFullLease"),
            new WrongLock(
                    "takes a message for a grant",
                    url -> WrongLocks.believesMessages(EditedScripts.openUnedited(url)),
                    "k3_aMessageToLookIsNoGrant"),
            edited(
                    "lets nobody watch over a grant",
                    "local tail = watch == 'watch' and",
                    "local tail = false and",
                    "k8_aWaiterLooksWhenTheOneBeforeItIsDead"),
            edited(
                    "gives each of the dead a second",
                    "    callRoll()\n    return false",
                    "    return not grantNext(lock, counter, queue, reachable, nil, 'watch')",
                    "k8_theDeadCostASecondTogether"),
            edited(
                    "sends whoever did not confirm in time to the end of the line",
                    "redis.call('ZREM', queue, holder.entry)\n      absent = true",
                    "redis.call('ZADD', queue, text(micros()), holder.entry)\n      absent = true",
                    "k3_aGrantThatWasPassedOnCannotBeConfirmed"),
            edited(
                    "grants the lock to those who left the line",
                    "table.remove(holder.line, i)",
                    "local gone = i",
                    "c9_everyReleaseKnowsTheLineAsItIs"),
            edited(
                    "sends those who show up to the end of the line",
                    "string.sub(arrived, 2)",
                    "now",
                    "k8_theLivingKeepTheirOrderBehindTheDead"),
            edited(
                    "keeps the lock for those whom nobody can reach",
                    "> 0 or reachable == 'unknown' then",
                    ">= 0 or reachable == 'unknown' then",
                    "k8_anUnreachableWaiterCostsNothing"),
            edited(
                    "lets whoever looks first have the lock of a dead holder",
                    "  if mayAcquire(absent) then",
                    "  if true then",
                    "k8_theOrderSurvivesADeadHolder"),
            edited(
                    "tells everybody",
                    "local tail = watch == 'watch' and",
                    "for _, each in ipairs(redis.call('ZRANGE', queue, 1, -1)) do send(each, 'call') end"
                            + " local tail = watch == 'watch' and",
                    "k5_aReleaseWakesOneWaiter"),
            edited(
                    "leaves those in line who gave up",
                    "redis.call('ZREM', queue, entry) == 1\nlocal answer",
                    "redis.call('ZCARD', queue) == 0\nlocal answer",
                    "c9_aWaiterThatGaveUpIsOutOfTheLine"),
            edited(
                    "lets queues stay forever",
                    "redis.call('PEXPIRE', queue, QUEUE)",
                    "redis.call('PERSIST', queue)",
                    "f3_everyKeyHasAnEnd"),
            edited(
                    "lets counters stay forever",
                    "last, 'PX', string.format('%.0f', ahead + 600000))",
                    "last)",
                    "f3_everyKeyHasAnEnd"),
            edited(
                    "takes a foreign value for a free lock",
                    FOREIGN,
                    "not token then\n    return nil, nil",
                    "f3_aForeignValueStays"),
            edited(
                    "takes a foreign value for a lock of somebody",
                    FOREIGN,
                    "not token then\n    return {state = 'held', owner = '0'}, nil",
                    "f3_aForeignValueStays"),
            edited(
                    "deletes a foreign value",
                    FOREIGN,
                    "not token then\n    redis.call('DEL', key)\n    return nil, redis.error_reply(FOREIGN)",
                    "f3_aForeignValueStays"),
            edited(
                    "takes a foreign type for a free lock",
                    FOREIGN_TYPE,
                    "'WRONGTYPE', 1, true) then\n      return nil, nil",
                    "f3_aForeignTypeStays"),
            edited(
                    "waits for a lock without an end",
                    "if left == -1 then",
                    "if false then",
                    "f3_aLockWithoutAnEndIsAnError"),
            edited(
                    "counts tokens without the clock",
                    "ARGV[4] + 1, now)",
                    "ARGV[4] + 1)",
                    "i4_tokensRiseAfterDeletion"),
            edited(
                    "forgets a counter that is ahead of the clock",
                    "ahead + 600000",
                    "600000",
                    "i1_theCounterLivesUntilTheClockIsAheadOfIt"),
            edited(
                    "forgets that a grant took many tokens",
                    "first + ARGV[5] - 1",
                    "first",
                    "i1_tokensRiseAboveAWholeBlock"),
            edited(
                    "lets whoever comes have a free lock that others wait for",
                    "'EXISTS', KEYS[3], KEYS[4])",
                    "'EXISTS', KEYS[4])",
                    "k8_theOrderSurvivesADeadHolder"),
            edited(
                    "releases without a look at who waits",
                    " and redis.call('EXISTS', KEYS[2]) == 0 then",
                    " then",
                    "k1_aReleaseNudgesAWaitingClaim"),
            edited(
                    "renews whoever asks",
                    "holder.owner == owner and holder.state ~= 'revoked'",
                    "holder.state ~= 'revoked'",
                    "e2_staleRenewalDoesNotExtendTheNextLease"),
            edited(
                    "releases whoever asks",
                    "if holder and holder.owner == owner then\n  if not left",
                    "if holder then\n  if not left",
                    "e1_staleReleaseDoesNotFreeTheNextHolder"),
            edited(
                    "tells a holder whose lock was freed at once that it has the rest of its lease",
                    "'revoked ' .. reason or",
                    "'ending ' .. reason or",
                    "r6_aClaimRevokedAtOnceDoesNotSayThatItHolds"),
            edited(
                    "keeps the lease of the grant at a renewal",
                    "redis.call('PEXPIRE', KEYS[i], ARGV[#KEYS + i] or ARGV[#KEYS + 1])",
                    "redis.call('PEXPIRE', KEYS[i], 300)",
                    "g13_aRenewalSetsALongerLease"),
            edited(
                    "gives all that are renewed together the lease of the first",
                    "ARGV[#KEYS + i] or ARGV[#KEYS + 1]",
                    "ARGV[#KEYS + 1]",
                    "g13_renewedTogetherEachGetsItsOwnLease"),
            edited(
                    "renews whoever asks, by the short way",
                    "string.sub(found, 1, #held) == held then",
                    "string.sub(found, 1, 5) == 'held ' then",
                    "e2_staleRenewalDoesNotExtendTheNextLease"),
            edited(
                    "does not find its own grant",
                    "if holder and holder.owner == owner then\n  if holder.state ~= 'revoked'",
                    "if false then\n  if holder.state ~= 'revoked'",
                    "j2_aRepeatedTryFindsItsOwnGrant"),
            edited(
                    "keeps the old end when a try is repeated",
                    "redis.call('PEXPIRE', lock, lease)",
                    "",
                    "f4_aRepeatedTryExtendsToTheFullLease"));

    private static WrongLock edited(String mistake, String right, String wrong, String caughtBy) {
        return new WrongLock(mistake, url -> EditedScripts.open(url, right, wrong), caughtBy);
    }

    @Override
    public String toString() {
        return mistake;
    }
}
