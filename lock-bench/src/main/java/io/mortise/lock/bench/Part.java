// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench;

import java.util.Locale;

/** A part of the measurements: what it is called, and what the page says of it. */
enum Part {
    FREE("Locks that nobody else wants", """
            Each thread acquires and releases a lock of its own, again and again. A rate above 1 and a time below 1 are better than the reference's.
            """),
    CONTENDED("One lock that all want", """
            Threads of three processes acquire and release the same lock, and do nothing under it. The times are those from a release to the next
            grant. "Most to least" compares the threads: 1 is fair. *Strict order* is Mortise with `withLocalHandOvers(0)`.
            """),
    WAITERS("What waiting and handing over cost", """
            Threads of four processes wait for a lock, and then it goes from one to the next until each has had it once. Requests are those that the store
            has counted, the commands that scripts run included: those while all wait, and those from the first release to the last, for each hand-over. The few that
            the idle clients of the other entrants send meanwhile are among them.
            """),
    HELD("Many locks that are held", """
            A process of its own for each turn holds 10,000 locks, and renews them for 30 seconds after a first 15: what that takes of the processor without what compiles code, and of the heap after a
            collection of garbage, and how many threads there are besides.
            """),
    CROWD("Few locks that many threads want", """
            10,000 threads want 100 locks, each three times, in a process of its own for each JVM.
            """),
    COUNTER("A lock, or none", """
            Writers read a number in Redis and write the next one, again and again. With `WATCH`, a write fails if another writer was faster, and is tried
            again. With a lock, writers wait for each other. A command or a script that does all at once needs neither, where the data allows it.
            """),
    START("The first lock", """
            A new JVM opens a client, acquires a lock, releases it, and ends.
            """),
    PROFILE("Where the time goes", """
            The same work in one process, with what it takes of the processors. "µs for a lock" is the time that passed, divided by the locks of all threads.
            What compiles code is left out. The last column says whose code ran, each time that it was looked: what it calls in the JDK is counted as its own.
            Without enough such looks, it is empty.
            """),
    ENGINE("The engine alone", """
            One thread acquires and releases a lock of `memory:`, as JMH measures it on each JVM.
            """);

    private final String title;
    private final String explanation;

    Part(String title, String explanation) {
        this.title = title;
        this.explanation = explanation;
    }

    /** As it is named on the command line. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    String title() {
        return title;
    }

    String heading() {
        return "## " + title + "\n\n" + explanation + "\n";
    }

    boolean isMeasured(Store store) {
        return switch (this) {
            case FREE, START, PROFILE -> true;
            // H2 lives in one process here.
            case CONTENDED -> store != Store.H2;
            case WAITERS -> store == Store.REDIS || store == Store.ZOOKEEPER;
            case HELD -> !store.renewing().isEmpty();
            case CROWD -> store == Store.REDIS || store == Store.POSTGRESQL;
            case COUNTER -> store == Store.REDIS;
            case ENGINE -> false;
        };
    }
}
