// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached.item;

import io.mortise.lock.memcached.connection.Command;
import io.mortise.lock.memcached.connection.Command.Reply;
import io.mortise.lock.memcached.connection.LiveConnection;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.support.CallDeadline;
import io.mortise.lock.spi.support.RenewalBatch;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Renews many claims in two round trips: reads all items, and writes each as soon as it has arrived. A server that is
 * slow, or cannot be reached, delays only its own claims. Used once, by one thread.
 */
public final class PipelinedRenewal {
    private final CallDeadline deadline;
    private final BlockingQueue<ClaimRenewal> replied = new LinkedBlockingQueue<>();
    private int awaited;

    private PipelinedRenewal(CallDeadline deadline) {
        this.deadline = deadline;
    }

    /** Renews claims, as {@link io.mortise.lock.spi.LockBackend#renewAll} describes it. */
    public static List<Answer> renew(List<Renewal> renewals, CallDeadline deadline) throws InterruptedException {
        RenewalBatch<MemcachedClaim> batch = new RenewalBatch<>(renewals, MemcachedClaim.class);
        new PipelinedRenewal(deadline).renew(batch);
        return batch.answers();
    }

    private void renew(RenewalBatch<MemcachedClaim> batch) throws InterruptedException {
        List<ClaimRenewal> renewals =
                batch.groups(1).stream().map(ClaimRenewal::new).toList();
        for (ClaimRenewal renewal : renewals) {
            renewal.step();
        }
        while (awaited > 0) {
            ClaimRenewal next = deadline.poll(replied);
            if (next == null) {
                renewals.forEach(ClaimRenewal::giveUp);
                break;
            }
            awaited--;
            next.step();
        }
    }

    /** A command on its way, and what to do with its reply. */
    private record Exchange(Command command, ReplyHandler handler) {}

    private interface ReplyHandler {
        void handle(Reply reply) throws InterruptedException;
    }

    /** The renewal of one claim: its item is read, then written, and read again if it was changed in between. */
    private final class ClaimRenewal {
        private final RenewalBatch<MemcachedClaim>.Group alone;
        private final MemcachedClaim claim;
        private @Nullable Exchange underWay;

        private ClaimRenewal(RenewalBatch<MemcachedClaim>.Group alone) {
            this.alone = alone;
            this.claim = alone.claims().get(0);
        }

        /** Sends the first command, or the one that follows from the reply that has arrived. */
        private void step() throws InterruptedException {
            Exchange sent = underWay;
            underWay = null;
            try {
                if (sent == null) {
                    read();
                } else {
                    sent.handler.handle(claim.item.server().await(sent.command, deadline));
                }
            } catch (BackendException noAnswer) {
                // nor has the claim
            }
        }

        private void read() {
            LiveConnection connection = claim.item.server().liveNow();
            if (connection != null) {
                send(claim.item.get(connection), reply -> write(claim.item.parse(connection, reply)));
            }
        }

        private void write(Optional<VersionedItem> found) throws InterruptedException {
            if (!claim.isRenewable(found, deadline)) {
                alone.answer(0, Answer.NO);
                return;
            }
            send(claim.item.extend(found.orElseThrow(), alone.lease(0), deadline), reply -> {
                if (claim.item.isDone(reply)) {
                    alone.answer(0, Answer.YES);
                } else {
                    read();
                }
            });
        }

        @SuppressWarnings("FutureReturnValueIgnored") // the queue takes everything
        private void send(Command command, ReplyHandler handler) {
            underWay = new Exchange(claim.item.server().send(command), handler);
            awaited++;
            command.reply().whenComplete((reply, lost) -> replied.add(this));
        }

        private void giveUp() {
            if (underWay != null) {
                underWay.command.giveUp();
            }
        }
    }
}
