// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.redis.connections.LazyClient;
import io.mortise.lock.redis.connections.RedisFailures;
import io.mortise.lock.redis.connections.SingleMaster;
import io.mortise.lock.spi.BackendException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.exceptions.JedisDataException;

/** O4: how the answers of servers are read that the other tests have none of. The texts are those of Redis 6.2.11, 7.0.15 and 7.4. */
class RedisFailuresTest {
    private static final String IN_SCRIPT_62 =
            "ERR Error running script (call to f_2e5b2dec60cc2983f1b9d87b92f2d423a5408d85): @user_script:1: ";
    private static final RedisFailures SERVER =
            SingleMaster.of(noPool(), "Redis at there:6379").failures();
    private static final RedisFailures SENTINELS =
            SingleMaster.ofSentinels(noPool(), pool -> pool, "Redis").failures();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "OOM command not allowed when used memory > 'maxmemory'. script: 2e5b, on @user_script:1.",
                IN_SCRIPT_62 + "@user_script: 1: -OOM command not allowed when used memory > 'maxmemory'.",
                "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.",
                IN_SCRIPT_62 + "WRONGTYPE Operation against a key holding the wrong kind of value",
                "MORTISE-FOREIGN the key of the lock holds something that is no lock",
                "NOPERM this user has no permissions to run the 'evalsha' command",
                "NOPERM User app has no permissions to run the 'evalsha' command",
                "ERR The user executing the script can't run this command or subcommand script: 2e5b, on @user_script:1.",
                "ERR ACL failure in script: User app has no permissions to run the 'set' command script: 2e5b",
                IN_SCRIPT_62 + "@user_script: 1: The user executing the script can't run this command or subcommand",
                "NOAUTH Authentication required.",
                "WRONGPASS invalid username-password pair or user is disabled.",
                "ERR AUTH <password> called without any password configured for the default user. Are you sure?",
                "ERR DB index is out of range",
                "ERR SELECT is not allowed in cluster mode",
                "DENIED Redis is running in protected mode because protected mode is enabled",
                "ERR unknown command 'EVALSHA'",
                "ERR Unknown Redis command called from script script: d5cc, on @user_script:1.",
                IN_SCRIPT_62 + "@user_script: 1: Unknown Redis command called from Lua script",
            })
    void aRefusalIsToldAsOne(String answer) {
        BackendException failure = read(SERVER, answer);

        assertThat(failure.kind()).isEqualTo(BackendException.Kind.REFUSED);
        assertThat(failure).hasMessageContaining("there:6379").hasMessageContaining(answer);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "LOADING Redis is loading the dataset in memory",
                "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
                "TRYAGAIN Multiple keys request during rehashing of slot",
                "CLUSTERDOWN The cluster is down",
                "CLUSTERDOWN Hash slot not served",
                "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
                "NOREPLICAS Not enough good replicas to write.",
                "EXECABORT Transaction discarded because of previous errors.",
                "ERR max number of clients reached",
                "MORTISE-ENDLESS the key of the lock has no time to live",
                "ERR MORTISE-PARTIAL OOM command not allowed when used memory > 'maxmemory'. script: 2e5b",
                IN_SCRIPT_62 + "MORTISE-PARTIAL WRONGTYPE Operation against a key holding the wrong kind of value",
                IN_SCRIPT_62
                        + "MORTISE-PARTIAL @user_script: 1: The user executing the script can't run this command or subcommand",
                "ERR something that a newer server says",
            })
    void whatPassesOrIsInDoubtIsNoAnswer(String answer) {
        assertThat(read(SERVER, answer).kind()).isEqualTo(BackendException.Kind.NO_ANSWER);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "READONLY You can't write against a read only replica.",
                "READONLY You can't write against a read only replica. script: e505, on @user_script:1.",
                IN_SCRIPT_62 + "@user_script: 1: -READONLY You can't write against a read only replica.",
                "@user_script: 1: -READONLY You can't write against a read only replica.",
                "MOVED 866 127.0.0.1:7001",
            })
    void theWrongServerIsARefusalUnlessMastersChangeByThemselves(String answer) {
        assertThat(read(SERVER, answer).kind()).isEqualTo(BackendException.Kind.REFUSED);
        assertThat(read(SENTINELS, answer).kind()).isEqualTo(BackendException.Kind.NO_ANSWER);
    }

    @Test
    void aMissingPermissionIsToldAsTheRuleThatGivesIt() {
        assertThat(read(SERVER, "NOPERM User app has no permissions to run the 'cluster|slots' command"))
                .hasMessageContaining("ACL SETUSER USER +cluster|slots;");
    }

    private static BackendException read(RedisFailures failures, String answer) {
        return (BackendException) failures.exceptionFor(new JedisDataException(answer));
    }

    private static LazyClient<ConnectionPool> noPool() {
        return LazyClient.made(
                () -> {
                    throw new AssertionError("nothing is asked");
                },
                ConnectionPool::close);
    }
}
