// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.RegisterEntry;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Wrong ways to keep a register. */
final class WrongRegisters {
    private WrongRegisters() {}

    /** Compares the version, and then writes. */
    static final class WritesAfterComparing extends TinyStore {
        @Override
        boolean writeRegister(TinyBackend client, String name, Optional<String> expected, RegisterEntry entry) {
            Optional<String> found = readRegister(client, name).map(RegisterEntry::version);
            if (!found.equals(expected)) {
                return false;
            }
            TinyBackend.pause(1);
            return super.writeRegister(client, name, readRegister(client, name).map(RegisterEntry::version), entry);
        }
    }

    /** Writes whatever it is told. */
    static final class WritesBlindly extends TinyStore {
        @Override
        boolean writeRegister(TinyBackend client, String name, Optional<String> expected, RegisterEntry entry) {
            return super.writeRegister(client, name, readRegister(client, name).map(RegisterEntry::version), entry);
        }
    }

    /** An entry that is there is no reason not to make it. */
    static final class MakesWhatIsThere extends TinyStore {
        @Override
        boolean writeRegister(TinyBackend client, String name, Optional<String> expected, RegisterEntry entry) {
            Optional<String> known =
                    expected.or(() -> readRegister(client, name).map(RegisterEntry::version));
            return super.writeRegister(client, name, known, entry);
        }
    }

    /** An entry that is not there is made by whoever wants to replace it. */
    static final class MakesWhatIsMissing extends TinyStore {
        @Override
        boolean writeRegister(TinyBackend client, String name, Optional<String> expected, RegisterEntry entry) {
            boolean isThere = readRegister(client, name).isPresent();
            return super.writeRegister(client, name, isThere ? expected : Optional.empty(), entry);
        }
    }

    /** Compares texts, so that who knows an entry of the same text replaces one that it does not know. */
    static final class ComparesTexts extends TinyStore {
        private final Map<String, String> texts = new HashMap<>();

        @Override
        synchronized boolean writeRegister(
                TinyBackend client, String name, Optional<String> expected, RegisterEntry entry) {
            texts.put(entry.version(), entry.text());
            Optional<RegisterEntry> found = readRegister(client, name);
            boolean alike = found.isPresent()
                    && expected.isPresent()
                    && found.get().text().equals(texts.get(expected.get()));
            return super.writeRegister(client, name, alike ? found.map(RegisterEntry::version) : expected, entry);
        }
    }

    /** A refused write is told as one that was made. */
    static final class AlwaysSaysWritten extends TinyStore {
        @Override
        boolean writeRegister(TinyBackend client, String name, Optional<String> expected, RegisterEntry entry) {
            super.writeRegister(client, name, expected, entry);
            return true;
        }
    }

    /** Each client remembers for a moment what it has read, and reads it again. */
    static final class ReadsFromMemory extends TinyStore {
        private static final long MOMENT = 200_000_000;

        private record Known(Optional<RegisterEntry> entry, long at) {}

        private final Map<TinyBackend, Map<String, Known>> known = new HashMap<>();

        @Override
        synchronized Optional<RegisterEntry> readRegister(TinyBackend client, String name) {
            Known remembered = known.computeIfAbsent(client, unused -> new HashMap<>())
                    .compute(
                            name,
                            (unused, last) -> last != null && System.nanoTime() - last.at < MOMENT
                                    ? last
                                    : new Known(super.readRegister(client, name), System.nanoTime()));
            return remembered.entry;
        }
    }

    /** Names are cut to forty characters. */
    static final class CutsNames extends TinyStore {
        private static String cut(String name) {
            return name.substring(0, Math.min(40, name.length()));
        }

        @Override
        Optional<RegisterEntry> readRegister(TinyBackend client, String name) {
            return super.readRegister(client, cut(name));
        }

        @Override
        boolean writeRegister(TinyBackend client, String name, Optional<String> expected, RegisterEntry entry) {
            return super.writeRegister(client, cut(name), expected, entry);
        }
    }

    /** Texts come back in lower case. */
    static final class LowersTexts extends TinyStore {
        @Override
        Optional<RegisterEntry> readRegister(TinyBackend client, String name) {
            return super.readRegister(client, name)
                    .map(entry ->
                            new RegisterEntry(entry.version(), entry.text().toLowerCase(Locale.ROOT)));
        }
    }

    /** Entries go with the client that wrote them. */
    static final class ForgetsWithTheWriter extends TinyStore {
        private final Map<String, TinyBackend> writers = new HashMap<>();

        @Override
        synchronized boolean writeRegister(
                TinyBackend client, String name, Optional<String> expected, RegisterEntry entry) {
            boolean written = super.writeRegister(client, name, expected, entry);
            if (written) {
                writers.put(name, client);
            }
            return written;
        }

        @Override
        synchronized void closed(TinyBackend client) {
            register.keySet().removeIf(name -> writers.get(name) == client);
        }
    }

    /** Entries end like leases. */
    static final class EntriesEnd extends TinyStore {
        private final Map<String, Long> written = new HashMap<>();

        @Override
        synchronized Optional<RegisterEntry> readRegister(TinyBackend client, String name) {
            register.keySet()
                    .removeIf(each -> now() - written.getOrDefault(each, now()) > WrongLockTck.LEASE.toNanos());
            return super.readRegister(client, name);
        }

        @Override
        synchronized boolean writeRegister(
                TinyBackend client, String name, Optional<String> expected, RegisterEntry entry) {
            boolean isWritten = super.writeRegister(client, name, expected, entry);
            if (isWritten) {
                written.put(name, now());
            }
            return isWritten;
        }
    }

    /** A restart goes back to what was written before the last write. */
    static final class GoesBack extends TinyStore {
        private Map<String, RegisterEntry> before = Map.of();

        @Override
        synchronized boolean writeRegister(
                TinyBackend client, String name, Optional<String> expected, RegisterEntry entry) {
            Map<String, RegisterEntry> now = Map.copyOf(register);
            boolean written = super.writeRegister(client, name, expected, entry);
            before = written ? now : before;
            return written;
        }

        @Override
        void restart() {
            super.restart();
            synchronized (this) {
                register.clear();
                register.putAll(before);
            }
        }
    }

    /** A store that does not answer has no entry, and has not written one. */
    static final class SilenceIsNo extends TinyStore {
        @Override
        <T> T told(Duration atMost, Supplier<T> question, T nothing) {
            try {
                return super.told(atMost, question, nothing);
            } catch (BackendException unanswered) {
                return nothing;
            }
        }
    }

    /** A write that was not answered is made later, whatever was written in between. */
    static final class LateWritesAreBlind extends TinyStore {
        private final Map<String, RegisterEntry> late = new HashMap<>();

        @Override
        boolean writeRegister(TinyBackend client, String name, Optional<String> expected, RegisterEntry entry) {
            boolean written = super.writeRegister(client, name, expected, entry);
            synchronized (this) {
                RegisterEntry missed = late.remove(name);
                if (missed != null) {
                    register.put(name, missed);
                }
            }
            return written;
        }

        @Override
        void missedWrite(String name, RegisterEntry entry) {
            synchronized (this) {
                late.put(name, entry);
            }
        }
    }

    /** Has no register, and says that nothing was ever written. */
    static final class PretendsToKeepARegister extends TinyStore {
        @Override
        Set<Feature> features() {
            return EnumSet.of(Feature.FENCED, Feature.PROMPT, Feature.LISTABLE, Feature.REVOCABLE);
        }

        @Override
        Optional<RegisterEntry> readRegister(TinyBackend client, String name) {
            return Optional.empty();
        }
    }
}
