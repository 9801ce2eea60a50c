// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.demo;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A shop with one kind of coupon, in a SQLite file that all sellers share. Its code is what one finds in many shops: read
 * the stock, think, write the new stock. Each statement is a transaction of its own, so only a lock around {@link #buy}
 * keeps two sellers from selling the same coupon. One connection; for one thread.
 */
final class Shop implements AutoCloseable {
    private static final long THINKING_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final Connection connection;

    private Shop(Connection connection) {
        this.connection = connection;
    }

    static Shop open(Path file) throws SQLException {
        registerDriver();
        Shop shop = new Shop(DriverManager.getConnection("jdbc:sqlite:" + file));
        shop.execute("pragma busy_timeout = 60000");
        shop.execute("pragma synchronous = normal");
        return shop;
    }

    /** The command's jar has no list of drivers from which the JDK would load it. */
    private static void registerDriver() {
        try {
            Class.forName("org.sqlite.JDBC");
        } catch (ClassNotFoundException notPackaged) {
            throw new IllegalStateException(notPackaged);
        }
    }

    static void create(Path file, int coupons) throws SQLException {
        try (Shop shop = open(file)) {
            shop.execute("pragma journal_mode = wal");
            shop.execute("create table stock (remaining integer not null)");
            shop.execute("create table sales (buyer text not null)");
            shop.execute("insert into stock values (" + coupons + ")");
        }
    }

    /** Sells a coupon if any is left. Right only if nobody else does the same meanwhile. */
    boolean buy(String buyer) throws SQLException {
        int remaining = remaining();
        if (remaining <= 0) {
            return false;
        }
        LockSupport.parkNanos(THINKING_NANOS);
        try (PreparedStatement update = connection.prepareStatement("update stock set remaining = ?");
                PreparedStatement insert = connection.prepareStatement("insert into sales values (?)")) {
            update.setInt(1, remaining - 1);
            update.executeUpdate();
            insert.setString(1, buyer);
            insert.executeUpdate();
        }
        return true;
    }

    int remaining() throws SQLException {
        return number("select remaining from stock");
    }

    int sales() throws SQLException {
        return number("select count(*) from sales");
    }

    Set<String> buyers() throws SQLException {
        Set<String> buyers = new HashSet<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select buyer from sales")) {
            while (rows.next()) {
                buyers.add(rows.getString(1));
            }
        }
        return buyers;
    }

    private int number(String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            return row.getInt(1);
        }
    }

    private void execute(String statement) throws SQLException {
        try (Statement once = connection.createStatement()) {
            once.execute(statement);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
