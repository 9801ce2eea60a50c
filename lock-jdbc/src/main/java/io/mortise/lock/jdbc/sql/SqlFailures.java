// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.support.FailureClassifier;
import java.sql.SQLException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Classifies the exceptions of JDBC drivers, and removes secrets from their messages: drivers and pools quote the URL with its
 * password, and the statement layer quotes the parameters, among them owner IDs. What drivers quote of the URL of a store in
 * parts, {@link io.mortise.lock.spi.BackendSelection} removes.
 */
public final class SqlFailures {
    /** What messages call the store. */
    public static final String STORE = "the database";

    /**
     * Says that the outcome is not known, unless a code of the driver says clearly that the database refused, or there was no
     * connection because client and server did not agree on TLS: other exceptions do not tell whether their connection changed anything.
     */
    public static final FailureClassifier CLASSIFIER = SqlFailures::classified;

    /** Where a URL begins that a driver or a pool quotes; where it ends, nobody knows. */
    private static final Pattern URL = Pattern.compile("(?i)jdbc:.*", Pattern.DOTALL);

    private SqlFailures() {}

    private static BackendException classified(Throwable failure) {
        Throwable clean = clean(failure);
        Optional<String> tls = TlsFailures.sentence(failure, firstSentence(clean));
        if (tls.isPresent()) {
            return BackendException.refused("no connection to " + STORE + ": " + tls.get(), clean);
        }
        return refusal(failure)
                .map(refusal -> BackendException.refused(
                        refusal.advice() + " (" + STORE + " said: " + firstSentence(clean) + ")", clean))
                .orElseGet(() -> new BackendException(STORE + " did not answer: " + firstSentence(clean), clean));
    }

    /** For a refusal after the same call has changed something, so that the call as a whole has no clear end. */
    public static BackendException inPart(Throwable refused) {
        Throwable clean = clean(refused);
        return new BackendException(STORE + " did only a part of it: " + firstSentence(clean), clean);
    }

    /** What the database refused, if that is behind an exception, also where a pool has wrapped it. */
    public static Optional<Refusal> refusal(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException driver) {
                for (Dialect dialect : Dialects.ALL) {
                    Optional<Refusal> refusal = dialect.refusal(driver);
                    if (refusal.isPresent()) {
                        return refusal;
                    }
                }
            }
        }
        return Optional.empty();
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
        String clean = URL.matcher(message).replaceAll("jdbc:***");
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
