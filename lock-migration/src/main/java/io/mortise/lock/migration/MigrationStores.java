// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.migration.register.MigrationRegister;
import io.mortise.lock.spi.BackendSelection;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.RegisterEntry;
import io.mortise.lock.spi.StoreUrl;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The two stores of a migration, and its register, as a URL names them.
 *
 * @param old the store that the fleet leaves
 * @param young the other
 * @param register kept in one of them
 */
record MigrationStores(LockBackend old, LockBackend young, MigrationRegister register) implements AutoCloseable {
    static final String REGISTER = "register";

    private static final String FROM = "from";
    private static final String TO = "to";

    /** Options that tell a store from another one at the same place. */
    private static final Set<String> PLACE_OPTIONS =
            Set.of(StoreUrl.OPTION_PREFIX + "table", "prefix", "format", StoreUrl.OPTION_PREFIX + "format");

    /**
     * Opens both.
     *
     * @throws LockConfigurationException if the URL is not that of a migration, if neither store keeps a register, or as
     *     {@link BackendSelection#openForClient} does
     */
    static MigrationStores open(StoreUrl url) {
        StoreUrl from = url.stores().get(FROM);
        StoreUrl to = url.stores().get(TO);
        if (from == null || to == null) {
            throw new LockConfigurationException("the URL of a migration is written migrate:NAME from URL to URL, as in"
                    + " migrate:orders from redis://cache to jdbc:postgresql://db/orders");
        }
        String name = name(url);
        LockBackend old = BackendSelection.openForClient(from, null, Set.of());
        LockBackend young = null;
        try {
            young = BackendSelection.openForClient(to, null, Set.of());
            LockBackend keeper = keepsRegister(url, old, young) ? old : young;
            return new MigrationStores(old, young, new MigrationRegister(keeper, name, place(from), place(to)));
        } catch (RuntimeException | Error failure) {
            old.close();
            if (young != null) {
                young.close();
            }
            throw failure;
        }
    }

    private static String name(StoreUrl url) {
        try {
            return RegisterEntry.checkName(url.path());
        } catch (IllegalArgumentException wrong) {
            throw new LockConfigurationException(
                    "the name of a migration stands after migrate: " + wrong.getMessage(), wrong);
        }
    }

    /**
     * Whether the old store does: only if the URL says so. What a store can do now must not decide it: a process that starts while a store is
     * away would look for the record in the other one.
     */
    private static boolean keepsRegister(StoreUrl url, LockBackend old, LockBackend young) {
        String chosen = url.option(REGISTER).orElse(TO);
        if (!Set.of(FROM, TO).contains(chosen)) {
            throw new LockConfigurationException(REGISTER + " is " + FROM + " or " + TO
                    + ", the store that keeps the register, not '" + chosen + "'");
        }
        boolean isOld = chosen.equals(FROM);
        if (!(isOld ? old : young).features().contains(Feature.REGISTER)) {
            throw new LockConfigurationException("the store after '" + chosen
                    + "' keeps no register, or is a Redis that did not answer: a migration needs a store that loses nothing that"
                    + " it has answered, which is a database, ZooKeeper, or Redis with appendonly yes and appendfsync always; "
                    + (isOld
                            ? "leave " + REGISTER + "=" + FROM + " out"
                            : "write migrate:NAME?" + REGISTER + "=" + FROM)
                    + " if the other store is one");
        }
        return isOld;
    }

    /** Where a store is, without user, password and what else may differ from process to process. */
    private static String place(StoreUrl url) {
        String place = url.scheme().equals("jdbc")
                ? url.driverUrl().replaceFirst("(?s)[?;].*", "")
                : url.scheme() + ":" + (url.hosts().isEmpty() ? "" : "//" + String.join(",", url.hosts())) + url.path();
        return Stream.concat(
                        Stream.of(place),
                        url.options().entrySet().stream()
                                .filter(option -> PLACE_OPTIONS.contains(option.getKey()))
                                .map(option -> option.getKey() + "=" + option.getValue()))
                .collect(Collectors.joining(" "));
    }

    @Override
    public void close() {
        try {
            young.close();
        } finally {
            old.close();
        }
    }
}
