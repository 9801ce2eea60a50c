// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.listening;

import redis.clients.jedis.JedisPubSub;

/** Reads the messages of one connection. Nothing in here throws: jedis would go on using a connection that is spoilt. */
final class ReleaseMessages extends JedisPubSub {
    /** How long the first in line has time to come, as CONFIRM of common.lua says; the newest in line looks a little after the second. */
    private static final long NEXT_MILLIS = 600;

    private static final long LAST_MILLIS = 700;

    private final ReleaseListener listener;

    ReleaseMessages(ReleaseListener listener) {
        this.listener = listener;
    }

    @Override
    public void onSubscribe(String channel, int subscribedChannels) {
        listener.begun(this);
    }

    @Override
    public void onMessage(String channel, String message) {
        int blank = message.indexOf(' ');
        if (blank < 0) {
            return;
        }
        try {
            long number = Long.parseLong(message.substring(blank + 1));
            switch (message.substring(0, blank)) {
                case "call" -> listener.called(number);
                case "next" -> listener.next(number, NEXT_MILLIS);
                case "last" -> listener.next(number, LAST_MILLIS);
                default -> {}
            }
        } catch (NumberFormatException stranger) {
            // somebody else's message
        }
    }
}
