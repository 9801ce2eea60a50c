// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

import io.mortise.lock.LockHolder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One client of one store: a factory of {@link Claim}s that declares what the store can do. Thread-safe. Two backends
 * of one store, in one JVM too, are two clients that share nothing but the store.
 *
 * <p>A method with a parameter {@code atMost} blocks for at most so long, give or take scheduling. It ignores interrupts and keeps
 * the flag.
 */
public interface LockBackend extends AutoCloseable {
    /**
     * {@return a claim that has not asked for anything yet} Does no I/O and never fails.
     *
     * @param request what is asked for
     * @param nudge to be run, from any thread, when it is worth trying again; quick, never throws. Running it without
     *     need is harmless, and so is never running it: correctness does not depend on it
     */
    Claim claim(ClaimRequest request, Runnable nudge);

    /** {@return what this store can do, the same at every call} */
    Set<Feature> features();

    /** {@return what must fail before this store forgets a grant, the same at every call} */
    SafetyLevel safetyLevel();

    /**
     * How far this store's fencing tokens can be trusted, the same at every call.
     *
     * @return unless overridden, {@link FencingStrength#WHILE_DATA_LIVES} for a {@link Feature#FENCED} backend and
     *     {@link FencingStrength#NONE} for others
     */
    default FencingStrength fencingStrength() {
        return features().contains(Feature.FENCED) ? FencingStrength.WHILE_DATA_LIVES : FencingStrength.NONE;
    }

    /**
     * {@return the leases that this store can honour, the same at every call; unless overridden,
     * {@link LeaseBounds#WIDEST}}
     */
    default LeaseBounds leaseBounds() {
        return LeaseBounds.WIDEST;
    }

    /**
     * Renews many claims, in one batch where the store can. One claim without an answer never hides the answers of the
     * others. Unless overridden, renews one by one, and gives none more than half of the time that is left.
     *
     * @param renewals claims of this backend, none twice, and for each how long its lease is to last; as with
     *     {@link Claim#renew}. Any number of them, maybe none or thousands, and maybe several of one lock: each gets the answer that it
     *     would get alone
     * @param atMost how long the whole call may take, positive
     * @return an answer for each claim, in the same order, and none for no claims; {@link Answer#UNKNOWN} for those not reached in
     *     time
     * @throws BackendException if there were claims and none got an answer; with the kind {@link BackendException.Kind#REFUSED} if the store refused
     *     to renew them as client and store are set up: the holders are told why when their leases end
     */
    default List<Answer> renewAll(List<Renewal> renewals, Duration atMost) {
        return Answer.oneByOne(renewals, atMost);
    }

    /**
     * {@return who holds a lock now, or empty if nobody does} Reads only.
     *
     * @param lock the name
     * @param atMost how long the call may take, positive
     * @throws BackendException if the store did not answer
     * @throws UnsupportedOperationException if the store cannot tell; never thrown by a {@link Feature#LISTABLE} one
     */
    default Optional<LockHolder> inspect(String lock, Duration atMost) {
        throw new UnsupportedOperationException("this store cannot tell who holds a lock");
    }

    /**
     * One page of the locks that are held now, in the store's order of names, which is the same for every page. A lock that is held
     * from the first page to the last is told once, whatever others do meanwhile. Reads only.
     *
     * @param prefix what the names begin with; the empty string for all
     * @param after the last name of the page before, maybe of a lock that nobody holds any more, or the empty string for the first page
     * @param limit how many at most, 2 or more: the empty string is a name too, and may end a page of one
     * @param atMost how long the call may take, positive
     * @return the next holders; fewer than {@code limit} only if there are no more
     * @throws BackendException if the store did not answer
     * @throws UnsupportedOperationException if the backend is not {@link Feature#LISTABLE}
     */
    default List<LockHolder> list(String prefix, String after, int limit, Duration atMost) {
        throw new UnsupportedOperationException("this store cannot list its locks");
    }

    /**
     * Takes a lock from its holder: renewals are refused from now on, so that the lock is free when the current lease
     * ends. The holder learns of it at its next renewal. Its tries are refused as its renewals are; the next holder is not revoked.
     *
     * @param lock the name: this lock only, whatever is in the name
     * @param reason why, any string, kept beside the lock and told to the holder. If there are several, any one of them
     * @param now true to free the lock at once: until the victim's next renewal two clients then believe that they hold
     *     it, and only the fencing token tells them apart
     * @param atMost how long the call may take, positive
     * @return true if somebody held it, whose release then does not say so as well if {@code now}; false if nobody did, because
     *     the lock was free or its lease had ended, and nothing was changed
     * @throws BackendException if the outcome is not known
     * @throws UnsupportedOperationException if the backend is not {@link Feature#REVOCABLE}
     */
    default boolean revoke(String lock, String reason, boolean now, Duration atMost) {
        throw new UnsupportedOperationException("this store cannot revoke locks");
    }

    /**
     * A number that no token is above which this store has given until now, to any lock: for those who go on with the same locks in
     * another store. May look at everything that the store has.
     *
     * @param atMost how long the call may take, positive
     * @return 0 or more
     * @throws BackendException if the store did not answer
     * @throws UnsupportedOperationException unless overridden: the store cannot tell, or is not {@link Feature#FENCED}
     */
    default long highestToken(Duration atMost) {
        throw new UnsupportedOperationException("this store cannot tell the greatest token that it has given");
    }

    /**
     * Reads an entry of the register, which the store keeps beside its locks, without an end, for those who must agree on something
     * about all of them. The answer is no older than the question: an entry that anybody was told is written, by the time of the
     * question, is read, or a later one.
     *
     * @param name which entry, a {@link RegisterEntry#checkName name} for one; a lock of that name has nothing to do with it
     * @param atMost how long the call may take, positive
     * @return the entry, or empty if none of that name was ever written
     * @throws BackendException if the store did not answer
     * @throws UnsupportedOperationException if the backend is not {@link Feature#REGISTER}
     */
    default Optional<RegisterEntry> readRegister(String name, Duration atMost) {
        throw new UnsupportedOperationException("this store keeps no register");
    }

    /**
     * Writes an entry of the register if it is still the one that the caller knows, in one atomic step. A write that was not answered
     * may arrive later, but not once the entry has another version: so whoever needs to know how it ended reads the entry, and
     * replaces it.
     *
     * @param name which entry, as with {@link #readRegister}
     * @param expected the version that the entry must have, or empty if there must be none of that name
     * @param entry what it is from then on; its version was never used before
     * @param atMost how long the call may take, positive
     * @return true if it was written, and a crash of the store does not undo that; false if the entry is another one, and nothing was
     *     changed
     * @throws BackendException if the outcome is not known
     * @throws UnsupportedOperationException if the backend is not {@link Feature#REGISTER}
     */
    default boolean writeRegister(String name, Optional<String> expected, RegisterEntry entry, Duration atMost) {
        throw new UnsupportedOperationException("this store keeps no register");
    }

    /**
     * Frees this client's threads and connections, not its locks. Idempotent. Claims of a closed backend throw
     * {@link BackendException}. What the application passed in (a pool, a client) stays open.
     */
    @Override
    void close();
}
