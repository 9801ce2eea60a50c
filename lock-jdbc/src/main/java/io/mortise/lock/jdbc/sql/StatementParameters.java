// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jdbi.v3.core.statement.ParsedSql;
import org.jdbi.v3.core.statement.SqlParser;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * Finds the parameters of our statements, {@code :key} or {@code ?}. jdbi's own parser reads any SQL, by a grammar of ANTLR
 * whose classes and tables take a start of the command a tenth of its time. Thread-safe.
 */
final class StatementParameters implements SqlParser {
    /** A text or a name in quotes, a cast of PostgreSQL, or a parameter with or without a name. */
    private static final Pattern PIECE = Pattern.compile("'[^']*'|\"[^\"]*\"|`[^`]*`|::|(\\?|:(\\w+))");

    /** Our statements are few, and their texts are final. */
    private static final Map<String, ParsedSql> KNOWN = new ConcurrentHashMap<>();

    @Override
    public ParsedSql parse(String sql, StatementContext context) {
        return in(sql);
    }

    /** The parameters in a statement. */
    static ParsedSql in(String sql) {
        return KNOWN.computeIfAbsent(sql, StatementParameters::parse);
    }

    private static ParsedSql parse(String sql) {
        ParsedSql.Builder parsed = ParsedSql.builder();
        Matcher piece = PIECE.matcher(sql);
        int end = 0;
        while (piece.find()) {
            if (piece.group(1) != null) {
                parsed.append(sql.substring(end, piece.start()));
                if (piece.group(2) == null) {
                    parsed.appendPositionalParameter();
                } else {
                    parsed.appendNamedParameter(piece.group(2));
                }
                end = piece.end();
            }
        }
        return parsed.append(sql.substring(end)).build();
    }

    @Override
    public String nameParameter(String name, StatementContext context) {
        return ":" + name;
    }
}
