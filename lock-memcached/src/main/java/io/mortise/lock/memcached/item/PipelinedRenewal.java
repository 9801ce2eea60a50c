// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached.item;

import io.mortise.lock.memcached.connection.Call;
import io.mortise.lock.memcached.connection.Command;
import io.mortise.lock.memcached.connection.Command.Reply;
import io.mortise.lock.memcached.connection.LiveConnection;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Renews many claims in two round trips: all items are read, and each is written as soon as it has arrived. A server that is
 * slow, or cannot be reached, delays only its own claims. Used once, by one thread.
 */
public final class PipelinedRenewal {
    private final Call call;
    private final BlockingQueue<ClaimRenewal> arrived = new LinkedBlockingQueue<>();
    private int open;

    private PipelinedRenewal(Call call) {
        this.call = call;
    }

    /** Renews claims, as {@link io.mortise.lock.spi.LockBackend#renewAll} describes it. */
    public static List<Answer> renew(List<? extends Claim> claims, Duration atMost) {
        try (Call call = Call.calm(atMost)) {
            return new PipelinedRenewal(call)
                    .renew(claims.stream().map(MemcachedClaim.class::cast).toList());
        }
    }

    private List<Answer> renew(List<MemcachedClaim> claims) {
        List<ClaimRenewal> renewals = claims.stream().map(ClaimRenewal::new).toList();
        renewals.forEach(renewal -> renewal.step(renewal::read));
        while (open > 0) {
            ClaimRenewal next = call.poll(arrived);
            if (next == null) {
                renewals.forEach(ClaimRenewal::giveUp);
                break;
            }
            open--;
            next.step(next::proceed);
        }
        return renewals.stream().map(renewal -> renewal.answer).toList();
    }

    /** The renewal of one claim: its item is read, then written, and read again if it was changed in between. */
    private final class ClaimRenewal {
        private final MemcachedClaim claim;
        private final ItemKey key;
        private @Nullable LiveConnection connection;
        private @Nullable Command command;
        private boolean writing;
        private Answer answer = Answer.UNKNOWN;

        private ClaimRenewal(MemcachedClaim claim) {
            this.claim = claim;
            this.key = claim.key;
        }

        private void step(Runnable step) {
            try {
                step.run();
            } catch (BackendException unanswered) {
                command = null;
            }
        }

        private void read() {
            connection = key.server().liveNow();
            writing = false;
            if (connection != null) {
                send(key.get(connection));
            }
        }

        @SuppressWarnings("FutureReturnValueIgnored") // the queue takes everything
        private void send(Command next) {
            command = key.server().send(next);
            open++;
            next.reply().whenComplete((reply, lost) -> arrived.add(this));
        }

        /** The reply to the command has arrived. */
        private void proceed() {
            if (connection == null || command == null) {
                return;
            }
            Reply reply = key.server().await(command, call);
            command = null;
            if (!writing) {
                write(key.parse(connection, reply));
            } else if (key.isDone(reply)) {
                answer = Answer.YES;
            } else {
                read();
            }
        }

        private void write(Optional<VersionedItem> found) {
            if (claim.isLost(found, call)) {
                answer = Answer.NO;
                return;
            }
            writing = true;
            send(key.extend(found.orElseThrow(), claim.request, call));
        }

        private void giveUp() {
            if (command != null) {
                command.giveUp();
            }
        }
    }
}
