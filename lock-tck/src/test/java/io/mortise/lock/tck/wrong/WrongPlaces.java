// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Feature;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Wrong lines of waiters, each of which is right but for one thing. */
final class WrongPlaces {
    private WrongPlaces() {}

    /** A fair store: only the first in line gets a lock that is free. Whoever is first and does not ask for a while is passed over. */
    static class Fair extends TinyStore {
        static final long PATIENCE_NANOS = 500_000_000L;

        /** One place in a line. */
        static final class Place {
            final TinyClaim claim;
            long asked;

            Place(TinyClaim claim, long now) {
                this.claim = claim;
                this.asked = now;
            }
        }

        private final Map<String, List<Place>> lines = new HashMap<>();
        private final Map<String, Long> freeSince = new HashMap<>();

        @Override
        Set<Feature> features() {
            return EnumSet.allOf(Feature.class);
        }

        @Override
        synchronized boolean tryAcquire(TinyClaim claim) {
            List<Place> line = line(claim);
            Entry entry = live(claim);
            if (entry != null) {
                freeSince.remove(key(claim));
            } else if (!line.isEmpty() && !isFirst(line, claim)) {
                dropWhoDoesNotAsk(line, claim);
            }
            boolean passes = entry != null || line.isEmpty() || isFirst(line, claim);
            if (passes && super.tryAcquire(claim)) {
                line.removeIf(place -> isOf(place, claim));
                freeSince.remove(key(claim));
                return true;
            }
            if (claim.request.waits() && !claim.released) {
                asks(line, claim);
            }
            return false;
        }

        private void dropWhoDoesNotAsk(List<Place> line, TinyClaim claim) {
            long since = freeSince.computeIfAbsent(key(claim), unused -> now());
            if (now() - since > PATIENCE_NANOS) {
                line.removeIf(place -> place.asked - since < 0);
            }
        }

        @Override
        boolean release(TinyClaim claim) {
            boolean held = super.release(claim);
            TinyClaim first;
            synchronized (this) {
                List<Place> line = line(claim);
                line.removeIf(place -> isOf(place, claim));
                first = line.isEmpty() ? null : line.get(0).claim;
            }
            if (first != null) {
                first.nudge.run();
            }
            return held;
        }

        final List<Place> line(TinyClaim claim) {
            return lines.computeIfAbsent(key(claim), unused -> new ArrayList<>());
        }

        final boolean isFirst(List<Place> line, TinyClaim claim) {
            return !line.isEmpty() && isOf(line.get(0), claim);
        }

        boolean isOf(Place place, TinyClaim claim) {
            return place.claim == claim;
        }

        /** A claim that waits has asked, for the first time or again. */
        void asks(List<Place> line, TinyClaim claim) {
            for (Place place : line) {
                if (isOf(place, claim)) {
                    place.asked = now();
                    return;
                }
            }
            line.add(new Place(claim, now()));
        }
    }

    /** Whoever asks again goes to the end of the line. */
    static final class AskingAgainIsComingAgain extends Fair {
        @Override
        void asks(List<Place> line, TinyClaim claim) {
            line.removeIf(place -> isOf(place, claim));
            super.asks(line, claim);
        }
    }

    /** A renewal by the holder writes the lock anew, without those who wait. */
    static final class RenewingForgetsTheLine extends Fair {
        @Override
        synchronized boolean renew(TinyClaim claim) {
            boolean renewed = super.renew(claim);
            if (renewed) {
                line(claim).clear();
            }
            return renewed;
        }
    }

    /** All claims of a client stand in one place. */
    static final class OnePlaceForAClient extends Fair {
        @Override
        boolean isOf(Place place, TinyClaim claim) {
            return place.claim.backend == claim.backend;
        }
    }

    /** There is room for thirty-two; whoever comes then gets an exception. */
    static final class AFullLineThrows extends Fair {
        @Override
        void asks(List<Place> line, TinyClaim claim) {
            super.asks(line, claim);
            if (line.size() > 32) {
                line.remove(32);
                throw new BackendException("the queue is full", null);
            }
        }
    }

    /** There is room for thirty-two; whoever comes then takes the place of the one before. */
    static final class AFullLineForgets extends Fair {
        @Override
        void asks(List<Place> line, TinyClaim claim) {
            super.asks(line, claim);
            if (line.size() > 32) {
                line.remove(31);
            }
        }
    }

    /** A place ends with the length of a lease, however often its claim asks. */
    static final class PlacesEndWithALease extends Fair {
        private final Map<Place, Long> since = new HashMap<>();

        @Override
        void asks(List<Place> line, TinyClaim claim) {
            super.asks(line, claim);
            line.forEach(place -> since.putIfAbsent(place, now()));
            line.removeIf(place -> now() - since.getOrDefault(place, 0L) > leaseNanos(place.claim));
        }
    }

    /** A lock that is released is given to the first in line, dead or alive, for a whole lease. */
    static final class ADeadFirstCostsALease extends Fair {
        @Override
        boolean release(TinyClaim claim) {
            boolean held = super.release(claim);
            synchronized (this) {
                if (held && !line(claim).isEmpty()) {
                    grant(line(claim).remove(0).claim);
                }
            }
            return held;
        }
    }
}
