// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Secrets;
import io.mortise.lock.spi.support.FailureClassifier;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Classifies the exceptions of JDBC drivers, and removes secrets from their messages: drivers quote the URL with its
 * password, and the statement layer quotes the parameters, among them owner IDs.
 */
public final class SqlFailures {
    /** What messages call the store. */
    public static final String STORE = "the database";

    /**
     * Says that the outcome is not known, since a driver's exception does not tell whether its connection changed anything; unless there
     * was no connection, because client and server did not agree on TLS.
     */
    public static final FailureClassifier CLASSIFIER = SqlFailures::noAnswer;

    private SqlFailures() {}

    private static BackendException noAnswer(Throwable failure) {
        Throwable clean = clean(failure);
        return TlsFailures.sentence(failure, firstSentence(clean))
                .map(refusal -> BackendException.refused("no connection to " + STORE + ": " + refusal, clean))
                .orElseGet(() -> new BackendException(STORE + " did not answer: " + firstSentence(clean), clean));
    }

    /** What a driver said, without the statement that some add. */
    static String firstSentence(Throwable failure) {
        return String.valueOf(failure.getMessage()).split("; SQL statement:", 2)[0];
    }

    /** The driver's own exception, without secrets in its message or in those of its causes. */
    static Throwable clean(Throwable failure) {
        SQLException driver = driverException(failure);
        return driver == null ? masked(failure) : masked(driver);
    }

    /** Whether the transaction was undone for the sake of others, in the words of the SQL standard. */
    public static boolean isRollback(SQLException failure) {
        return failure.getSQLState() != null && failure.getSQLState().startsWith("40");
    }

    /** The driver's exception that is behind an exception, or null if there is none. */
    public static @Nullable SQLException driverException(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException driver) {
                return driver;
            }
        }
        return null;
    }

    private static Throwable masked(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        String clean = Secrets.mask(message);
        Throwable cause = failure.getCause();
        Throwable cleanCause = cause == null ? null : masked(cause);
        if (clean.equals(message) && cleanCause == cause) {
            return failure;
        }
        Exception copy = failure instanceof SQLException driver
                ? new SQLException(clean, driver.getSQLState(), driver.getErrorCode(), cleanCause)
                : new RuntimeException(clean, cleanCause);
        copy.setStackTrace(failure.getStackTrace());
        return copy;
    }
}
