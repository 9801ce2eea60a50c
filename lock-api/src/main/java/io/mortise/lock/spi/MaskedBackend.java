// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

import io.mortise.lock.LockHolder;
import io.mortise.lock.Loss;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.spi.support.ForwardingClaim;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The backend of a client that was opened from a URL: the one place through which all failures of its store pass, and
 * from which none shows a secret of that URL. As thread-safe as the backend behind it.
 */
final class MaskedBackend extends ForwardingBackend {
    private final Secrets secrets;

    private MaskedBackend(LockBackend inner, Secrets secrets) {
        super(inner);
        this.secrets = secrets;
    }

    /** The backend itself if there is no secret. */
    static LockBackend of(LockBackend inner, Secrets secrets) {
        return secrets.isEmpty() ? inner : new MaskedBackend(inner, secrets);
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        return new MaskedClaim(inner().claim(request, nudge));
    }

    @Override
    public List<Answer> renewAll(List<Renewal> renewals, Duration atMost) {
        List<Renewal> behind = renewals.stream()
                .map(renewal -> new Renewal(((MaskedClaim) renewal.claim()).inner(), renewal.lease()))
                .toList();
        return clean(() -> inner().renewAll(behind, atMost));
    }

    @Override
    public Optional<LockHolder> inspect(String lock, Duration atMost) {
        return clean(() -> inner().inspect(lock, atMost));
    }

    @Override
    public List<LockHolder> list(String prefix, String after, int limit, Duration atMost) {
        return clean(() -> inner().list(prefix, after, limit, atMost));
    }

    @Override
    public boolean revoke(String lock, String reason, boolean now, Duration atMost) {
        return clean(() -> inner().revoke(lock, reason, now, atMost));
    }

    @Override
    public long highestToken(Duration atMost) {
        return clean(() -> inner().highestToken(atMost));
    }

    @Override
    public Optional<RegisterEntry> readRegister(String name, Duration atMost) {
        return clean(() -> inner().readRegister(name, atMost));
    }

    @Override
    public boolean writeRegister(String name, Optional<String> expected, RegisterEntry entry, Duration atMost) {
        return clean(() -> inner().writeRegister(name, expected, entry, atMost));
    }

    @Override
    public void close() {
        clean(() -> {
            inner().close();
            return true;
        });
    }

    /** As that of the backend behind, without secrets. */
    @Override
    public String toString() {
        return secrets.mask(inner().toString());
    }

    private <T> T clean(Supplier<T> call) {
        try {
            return call.get();
        } catch (RuntimeException | Error failure) {
            throw BackendSelection.unchecked(secrets.clean(failure));
        }
    }

    private final class MaskedClaim extends ForwardingClaim {
        MaskedClaim(Claim inner) {
            super(inner);
        }

        @Override
        public boolean tryAcquire(Duration atMost) throws InterruptedException {
            try {
                return inner().tryAcquire(atMost);
            } catch (RuntimeException | Error failure) {
                throw BackendSelection.unchecked(secrets.clean(failure));
            }
        }

        @Override
        public boolean renew(Duration lease, Duration atMost) {
            return clean(() -> inner().renew(lease, atMost));
        }

        @Override
        public boolean release(Duration atMost) {
            return clean(() -> inner().release(atMost));
        }

        @Override
        public Optional<StoreIncarnation> storeIncarnation(Duration atMost) {
            return clean(() -> inner().storeIncarnation(atMost));
        }

        @Override
        public boolean raiseToken(long token, Duration atMost) {
            return clean(() -> inner().raiseToken(token, atMost));
        }

        @Override
        public void whenLost(Consumer<Loss> listener) {
            inner().whenLost(loss -> listener.accept(clean(loss)));
        }

        @Override
        public Loss loss() {
            return clean(inner().loss());
        }

        private Loss clean(Loss loss) {
            return new Loss(loss.cause(), secrets.mask(loss.detail()));
        }

        private <T> T clean(Supplier<T> call) {
            return MaskedBackend.this.clean(call);
        }
    }
}
