// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

import java.util.regex.Pattern;

/** Removes passwords from URLs and from texts that may quote them. */
public final class Secrets {
    private static final Pattern USER_INFO = Pattern.compile("(//[^/\\s:@]*):[^/\\s]*@");
    private static final Pattern OPTION = Pattern.compile(
            "(?i)([?&;,\\s][^=&;,\\s]*(?:pass|pwd|secret|token|credential|apikey|privatekey)[^=&;,\\s]*=)[^&;,\\s]*");

    private Secrets() {}

    /**
     * {@return a text with three asterisks for passwords in user infos and for the values of options that are named
     * like secrets}
     *
     * @param text a URL, or a message that may quote one
     */
    public static String mask(String text) {
        return OPTION.matcher(USER_INFO.matcher(text).replaceAll("$1:***@")).replaceAll("$1***");
    }
}
