// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.quorum;

import io.mortise.lock.redlock.member.Member;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Secrets;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What went wrong, with the names of the members. */
public final class RedlockFailures {
    private RedlockFailures() {}

    /** Why a member gave no answer. */
    public static String reason(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = cause.getMessage();
        return Secrets.mask("failed: " + (message == null ? cause.getClass().getSimpleName() : message));
    }

    /** Too few members have answered. */
    public static BackendException undecided(
            String question, Votes votes, List<Member> members, @Nullable CompletionStage<?> end) {
        return undecided(question, votes.silences(members), members, end);
    }

    /** The same, for reasons that are not all silence. */
    public static BackendException undecided(
            String question, List<String> reasons, List<Member> members, @Nullable CompletionStage<?> end) {
        return new BackendException(
                question + " needs " + Votes.majority(members.size()) + " of " + members.size()
                        + " members and did not get them: " + String.join("; ", reasons),
                null,
                end);
    }
}
