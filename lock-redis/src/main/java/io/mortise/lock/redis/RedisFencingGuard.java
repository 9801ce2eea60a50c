// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import io.mortise.lock.redis.scripts.Script;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * Protects data in Redis from writes of stale holders: a write carries the fencing token of its lease, and is refused if a
 * greater token has written before. Comparing and writing are one step in the server.
 *
 * <p>The greatest token seen is kept in a key of its own beside the data, {@code mortise-fence:{KEY}}, which never expires.
 * Works on any Redis, also another one than the locks are in. Thread-safe.
 *
 * <pre>{@code
 * RedisFencingGuard guard = new RedisFencingGuard(redis);
 * try (Lease lease = lock.acquire()) {
 *     boolean written = guard.write(lease.fencingToken(), "report/42", "SET", report);
 * }
 * }</pre>
 */
public final class RedisFencingGuard {
    static final String TOKEN_PREFIX = "mortise-fence:";
    private static final long HIGHEST_TOKEN = 1L << 53;

    /** Those that write to one key, which is their first argument, and to nothing else. */
    private static final Set<String> COMMANDS = Set.of(
            "APPEND",
            "BITFIELD",
            "DECR",
            "DECRBY",
            "EXPIRE",
            "EXPIREAT",
            "GEOADD",
            "GETDEL",
            "GETEX",
            "GETSET",
            "HDEL",
            "HINCRBY",
            "HINCRBYFLOAT",
            "HMSET",
            "HSET",
            "HSETNX",
            "INCR",
            "INCRBY",
            "INCRBYFLOAT",
            "LINSERT",
            "LPOP",
            "LPUSH",
            "LPUSHX",
            "LREM",
            "LSET",
            "LTRIM",
            "PERSIST",
            "PEXPIRE",
            "PEXPIREAT",
            "PFADD",
            "PSETEX",
            "RPOP",
            "RPUSH",
            "RPUSHX",
            "SADD",
            "SET",
            "SETBIT",
            "SETEX",
            "SETNX",
            "SETRANGE",
            "SPOP",
            "SREM",
            "XADD",
            "XDEL",
            "XTRIM",
            "ZADD",
            "ZINCRBY",
            "ZPOPMAX",
            "ZPOPMIN",
            "ZREM",
            "ZREMRANGEBYLEX",
            "ZREMRANGEBYRANK",
            "ZREMRANGEBYSCORE");

    /** Those that do so only without further arguments, which would be keys. */
    private static final Set<String> COMMANDS_WITHOUT_ARGUMENTS = Set.of("DEL", "UNLINK");

    private final UnifiedJedis client;

    /**
     * A guard of the data that a client reaches.
     *
     * @param client runs the writes; stays open
     */
    public RedisFencingGuard(UnifiedJedis client) {
        this.client = client;
    }

    /**
     * Runs one command on one key, unless a greater token has been seen there. Equal tokens may write again.
     *
     * @param token the fencing token of the lease under which this is written, 1 to 2<sup>53</sup>
     * @param key the key that is written
     * @param command a command that writes to one key and nothing else, which is its first argument: those of strings, hashes,
     *     lists, sets, sorted sets and streams, such as {@code SET}, {@code HSET} or {@code DEL}, in any case
     * @param arguments the arguments after the key
     * @return true if it was run; false if the token is stale and nothing was changed
     * @throws IllegalArgumentException if the token is out of range, if the command does not write, or may reach more than this
     *     key, if the key is one of this guard's own, or if no other key can be in the slot of the key; nothing was sent
     * @throws redis.clients.jedis.exceptions.JedisException if the server refused the command, or did not answer: then it
     *     may have been run or not
     */
    public boolean write(long token, String key, String command, String... arguments) {
        if (token < 1 || token > HIGHEST_TOKEN) {
            throw new IllegalArgumentException("a fencing token is between 1 and 2^53, not " + token);
        }
        checkCommand(command, arguments);
        List<String> keys = List.of(key, tokenKey(key));
        List<String> parameters = new ArrayList<>(List.of(Long.toString(token), command));
        parameters.addAll(Arrays.asList(arguments));
        List<?> answer;
        try {
            answer = (List<?>) client.evalsha(Script.GUARD.digest(), keys, parameters);
        } catch (JedisNoScriptException unknown) {
            answer = (List<?>) client.eval(Script.GUARD.text(), keys, parameters);
        }
        return (Long) answer.get(0) == 1;
    }

    private static void checkCommand(String command, String... arguments) {
        String name = command.toUpperCase(Locale.ROOT);
        boolean writesOneKey =
                COMMANDS.contains(name) || (COMMANDS_WITHOUT_ARGUMENTS.contains(name) && arguments.length == 0);
        if (!writesOneKey) {
            throw new IllegalArgumentException("the guard runs commands that write to one key and to nothing else, not "
                    + command + (arguments.length == 0 ? "" : " with " + arguments.length + " arguments"));
        }
    }

    /** A key in the slot of another: that one's hash tag is kept; one without is made the tag. */
    private static String tokenKey(String key) {
        if (key.startsWith(TOKEN_PREFIX)) {
            throw new IllegalArgumentException("the guard keeps its tokens in keys that begin with " + TOKEN_PREFIX
                    + ", so no data can be there: " + key);
        }
        int open = key.indexOf('{');
        boolean tagged = open >= 0 && key.indexOf('}', open) > open + 1;
        String tokenKey = tagged ? TOKEN_PREFIX + key : TOKEN_PREFIX + "{" + key + "}";
        if (JedisClusterCRC16.getSlot(tokenKey) != JedisClusterCRC16.getSlot(key)) {
            throw new IllegalArgumentException("no other key can be in the slot of '" + key
                    + "': write it without braces, or with a hash tag in braces");
        }
        return tokenKey;
    }
}
