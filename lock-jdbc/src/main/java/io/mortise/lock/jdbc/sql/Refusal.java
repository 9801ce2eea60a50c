// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

/**
 * What it means that a database has answered and will not, as it and its client are set up, and what to do about it. A
 * statement that ended so has changed nothing. Each {@link Dialect} knows which codes of its driver say so; all others mean
 * that there was no answer.
 */
public enum Refusal {
    TABLE_MISSING("a table of the locks is missing, and with it what it kept; its SQL is in the jar, in"
            + " io/mortise/lock/jdbc/schema, and clients that connect make it unless mortise.createSchema is false"),
    TABLE_UNFIT("the table of the locks does not have the columns of this version; name another by mortise.table"),
    READ_ONLY(
            "the database may only be read, as a standby, by its settings or by those of the connection; connect to the"
                    + " server that takes writes, or let this user write"),
    NO_PERMISSION(
            "the user lacks a permission; grant it select, insert, update and delete on the table of the locks and"
                    + " on the others whose names begin with its name"),
    NO_LOGIN("the database does not let this user in; correct user and password, or the rules of the server"),
    NO_DATABASE("the server does not have that database; make it, or correct its name"),
    NOT_A_DATABASE("the file is no database; look at it, then name another"),
    URL_UNFIT("the driver cannot use the URL; correct it"),
    FULL("there is no room for more data; make some, and calls are answered again");

    private final String advice;

    Refusal(String advice) {
        this.advice = advice;
    }

    /** What happened and what to do, for people. */
    public String advice() {
        return advice;
    }
}
