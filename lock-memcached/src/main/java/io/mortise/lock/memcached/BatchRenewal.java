// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached;

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
 * slow, or cannot be reached, keeps only its own claims waiting. Used once, by one thread.
 */
final class BatchRenewal {
    private final Call call;
    private final BlockingQueue<Turn> arrived = new LinkedBlockingQueue<>();
    private int open;

    private BatchRenewal(Call call) {
        this.call = call;
    }

    static List<Answer> renew(List<? extends Claim> claims, Duration atMost) {
        try (Call call = Call.calm(atMost)) {
            return new BatchRenewal(call)
                    .renew(claims.stream().map(MemcachedClaim.class::cast).toList());
        }
    }

    private List<Answer> renew(List<MemcachedClaim> claims) {
        List<Turn> turns = claims.stream().map(Turn::new).toList();
        turns.forEach(turn -> turn.step(turn::read));
        while (open > 0) {
            Turn next = call.poll(arrived);
            if (next == null) {
                turns.forEach(Turn::giveUp);
                break;
            }
            open--;
            next.step(next::proceed);
        }
        return turns.stream().map(turn -> turn.answer).toList();
    }

    /** One claim's way through the batch. */
    private final class Turn {
        private final MemcachedClaim claim;
        private final Slot slot;
        private @Nullable Contact contact;
        private @Nullable Command command;
        private boolean writing;
        private Answer answer = Answer.UNKNOWN;

        private Turn(MemcachedClaim claim) {
            this.claim = claim;
            this.slot = claim.slot;
        }

        private void step(Runnable step) {
            try {
                step.run();
            } catch (BackendException unanswered) {
                command = null;
            }
        }

        private void read() {
            contact = slot.server().contactNow();
            writing = false;
            if (contact != null) {
                send(slot.read(contact));
            }
        }

        @SuppressWarnings("FutureReturnValueIgnored") // the queue takes everything
        private void send(Command next) {
            command = slot.server().send(next);
            open++;
            next.reply().whenComplete((reply, lost) -> arrived.add(this));
        }

        /** The answer of the command has arrived. */
        private void proceed() {
            if (contact == null || command == null) {
                return;
            }
            Reply reply = slot.server().await(command, call);
            command = null;
            if (!writing) {
                write(slot.stored(contact, reply));
            } else if (slot.isDone(reply)) {
                answer = Answer.YES;
            } else {
                read();
            }
        }

        private void write(Optional<Stored> found) {
            if (claim.isLost(found, call)) {
                answer = Answer.NO;
                return;
            }
            writing = true;
            send(slot.extend(found.orElseThrow(), claim.request, call));
        }

        private void giveUp() {
            if (command != null) {
                command.giveUp();
            }
        }
    }
}
