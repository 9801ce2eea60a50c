// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.spi.LeaseBounds;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Describes one kind of database: its URLs, its SQL, how a lock is acquired and guarded, and which error codes mean
 * "nothing was changed, try again". The templates of statements that all of them share stand where they are
 * run, see {@link TableSql}; the tables of each stand in {@code schema/NAME.sql}. Stateless.
 */
public interface Dialect {
    /** How long one statement waits for another's lock before it starts again, if its time is not over. */
    int LOCK_WAIT_MILLIS = 250;

    /** How long a try waits: a record of a grant that stays locked is a guard's, and the lock is busy. */
    int TRY_WAIT_MILLIS = 50;

    /** Much longer than any statement of ours; where a server does not answer for so long, the connection is lost. */
    int NO_ANSWER_SECONDS = 15;

    /** The product name that its driver tells; in lower case, the scheme of its URLs. */
    String product();

    /** What to add to the class path where its driver is missing. */
    String driver();

    /** The class of that driver. */
    String driverClass();

    /**
     * The URL for its driver, with the settings that locks need. One of a server may have no user before its host, where its
     * driver looks for a host, and quotes it.
     *
     * @throws LockConfigurationException if locks cannot work with that URL
     */
    default String driverUrl(String url) {
        if (url.matches("(?s)[^/?]*//[^?]*@.*")) {
            throw new LockConfigurationException("the URL of a PostgreSQL or MariaDB database has no user and password"
                    + " before its host; write ?user=…, and the password as &password=… or with mortise.passwordFile");
        }
        return url;
    }

    /** Options of the URL that {@link #driverUrl} leaves out, for the driver's properties: of a driver that logs its URL, the secrets. */
    default Map<String, String> secretOptions(String url) {
        return Map.of();
    }

    /** Whether its driver can read a URL, if it says so only when it connects. */
    default boolean canRead(String driverUrl) {
        return true;
    }

    /** A plain URL that its driver accepts, to find out whether there is a driver. */
    default String plainUrl() {
        return "jdbc:" + product().toLowerCase(Locale.ROOT) + "://localhost/mortise";
    }

    /** The URL for its driver with the setting, if there is one, that keeps the driver from making a database that is missing. */
    default String existingOnly(String driverUrl) {
        return driverUrl;
    }

    /**
     * Properties for its driver that hold unless the URL says otherwise: calls to a server that is gone must end.
     *
     * @param connectTimeout how long one attempt to connect may take, positive
     */
    default Map<String, String> driverDefaults(Duration connectTimeout) {
        return Map.of();
    }

    /** The same for connections that listen for notifications, besides. */
    default Map<String, String> listenerDefaults() {
        return Map.of();
    }

    /** The leases that are safe with a URL. */
    default LeaseBounds leaseBounds(String url) {
        return LeaseBounds.WIDEST;
    }

    /** {@code {now}}: the time in microseconds since 1970, at the time of the statement. */
    String now();

    /** How far that clock may lag, in microseconds: the length of its step. */
    default long clockStepMicros() {
        return 1;
    }

    /** {@code {standby}}: whether the server only repeats what another one says, or may have been told to. */
    default String standby() {
        return "1 = 0";
    }

    /** {@code {max}}: the function for the greatest of its arguments. */
    default String max() {
        return "greatest";
    }

    /**
     * What bounds a statement's wait for another's lock, where no setting of the session does: {@code {wait}} before an
     * update or delete, {@code {from}} or {@code {using}} in it, and {@code {try}} in a statement that acquires, whose wait
     * is that of a try. A piece that is not in the map is empty.
     */
    default Map<String, String> bounds() {
        return Map.of();
    }

    /**
     * One statement that inserts or takes the lock, records the grant, and returns its first token; empty where no statement
     * can return what it wrote.
     */
    Optional<String> acquire();

    /**
     * A statement that takes a lock whose row is there and free, and whose grants were recorded before; it records the grant. It
     * answers with a row that holds the first token, or with none; where {@link #acquire} is empty, it changes rows and gives the token
     * to {@code last_insert_id}, or changes none. It costs less than what comes after it if it does not answer; it may have
     * taken the lock even so. Empty where none is worth it.
     */
    default Optional<String> take() {
        return Optional.empty();
    }

    /** An update that frees a lock and, if the database can, tells {@code {channel}} the key of its row. */
    default String releasing(String update) {
        return update;
    }

    /**
     * What a query ends with that locks the record of a grant as a guard does: others may share that lock, and nobody can change the
     * record; empty where the database has only locks that are not shared.
     */
    default Optional<String> sharing() {
        return Optional.empty();
    }

    /** A query or update for one key and one token that keeps others from being granted the lock until it is committed. */
    default String guard() {
        return "select fence from {grants} where lock_key = ? and fence <= ? "
                + sharing().orElse("for update");
    }

    /** Whether grants are recorded in a table of their own, for guards to lock. */
    default boolean recordsGrants() {
        return true;
    }

    /** Whether users have permissions for a table, apart from those for a file. */
    default boolean hasPermissions() {
        return true;
    }

    /** Whether a release can grant the lock to the first of those who wait, in the same statement. */
    default boolean hasQueue() {
        return false;
    }

    /** Whether sessions like this one can listen to a channel. */
    default boolean canListen(Session session) throws SQLException {
        return false;
    }

    /** How many calls may run at once. */
    int callThreads();

    /** What stands around a name in SQL, so that it is taken as it is. */
    default char quote() {
        return '"';
    }

    /** A plain name as the database stores it. */
    default String stored(String name, Connection connection) throws SQLException {
        return name;
    }

    /** A query for the schema in which a connection finds, or makes, the table of a name, which is its parameter if it has one. */
    String homeSchema();

    /**
     * A query for all schemas that hold a table of a name; empty where the URL alone decides in which of them a connection
     * looks.
     */
    default Optional<String> schemasWithTable() {
        return Optional.empty();
    }

    /** Makes a new connection of ours fit. */
    default void prepare(Connection connection) throws SQLException {}

    /**
     * Checks what must be so for locks to be safe.
     *
     * @throws LockConfigurationException if it is not
     */
    default void check(Session session) {}

    /** Whether the statement failed without changing anything because another was in its way. */
    boolean isInTheWay(SQLException failure);

    /** What the database refused, if the exception is of its driver and a clear answer; the statement has changed nothing. */
    Optional<Refusal> refusal(SQLException failure);

    /** Whether a commit that was answered survives a crash. */
    boolean isDurable(Session session);

    /** The resource with the statements that make the tables. */
    default String schema() {
        return "schema/" + product().toLowerCase(Locale.ROOT) + ".sql";
    }
}
