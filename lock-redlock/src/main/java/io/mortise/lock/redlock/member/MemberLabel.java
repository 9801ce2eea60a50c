// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.member;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a member keeps as the holder's label, so that seats of one round can be told from those of another.
 *
 * @param round the round that the seat belongs to
 * @param token the round's token, or 0 in seats that were taken before it was known
 * @param label the holder's own label
 */
public record MemberLabel(String round, long token, String label) {
    private static final Pattern TEXT = Pattern.compile("([0-9a-f]{16}):(\\d{1,16}):(.*)", Pattern.DOTALL);

    public String text() {
        return round + ":" + token + ":" + label;
    }

    /** Reads a member's label; a holder that is none of a quorum's is a round of its own. */
    public static MemberLabel of(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches()
                ? new MemberLabel(matcher.group(1), Long.parseLong(matcher.group(2)), matcher.group(3))
                : new MemberLabel("", 0, text);
    }
}
