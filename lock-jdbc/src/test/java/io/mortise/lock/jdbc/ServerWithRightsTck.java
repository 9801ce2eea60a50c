// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import java.util.List;

/** The suite as a user whose rights to the tables can be withdrawn, which those of an administrator cannot. */
abstract class ServerWithRightsTck extends ServerTck {
    private static final String CLIENT = "client";

    /** The statements that make a user of a name, who may make the tables and change them. */
    abstract List<String> toMake(String user);

    /** The same URL for a user, whose password is its name. */
    abstract String urlFor(String user, String url);

    /** A statement that ends the sessions of a user. */
    abstract String killSessions(String user);

    /** Asked once in a run. */
    @Override
    public String store() {
        execute(toMake(CLIENT));
        return clientUrl(super.store());
    }

    /** As the administrator. */
    @Override
    public String tables() {
        return database().url();
    }

    @Override
    String clientUrl(String url) {
        return urlFor(CLIENT, url);
    }

    @Override
    public void withdrawPermission() {
        changeRights("revoke", "from");
    }

    @Override
    public void givePermissionBack() {
        changeRights("grant", "to");
    }

    @Override
    public void killConnections() {
        execute(List.of(killSessions(CLIENT)));
    }

    private void changeRights(String change, String preposition) {
        execute(List.of(
                change + " insert, update, delete on mortise_locks " + preposition + " " + CLIENT,
                change + " insert, update, delete on mortise_locks_grants " + preposition + " " + CLIENT));
    }

    private void execute(List<String> statements) {
        try (Rows rows = new Rows(tables())) {
            statements.forEach(rows::execute);
        }
    }
}
