// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static io.mortise.lock.redis.AclUser.with;
import static io.mortise.lock.redis.Claims.AMPLE;
import static io.mortise.lock.redis.Claims.assertRefused;
import static io.mortise.lock.redis.Claims.assertUnknown;
import static io.mortise.lock.redis.Claims.free;
import static io.mortise.lock.redis.Claims.granted;
import static io.mortise.lock.redis.Claims.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.Loss;
import io.mortise.lock.redis.scripts.Script;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.tck.servers.RedisServer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** P3, and O4 at connecting: users, passwords, and what users may do. That the rules suffice is proved by the suite, which runs with them. */
class AccessTest extends RedisServerTest {
    private static final Pattern CALL = Pattern.compile("redis\\.p?call\\('(\\w+)'");
    private static final Pattern CHECKED = Pattern.compile("\\{'(\\w+)'");
    private static final Set<String> BESIDE_SCRIPTS = Set.of("eval", "evalsha", "subscribe", "ping", "scan", "info");

    @BeforeAll
    static void addUser() {
        AclUser.on(server, "app", AclUser.RULES);
    }

    @Test
    void aUserWithTheRulesConnects() throws InterruptedException {
        try (RedisBackend backend = Claims.open(url("app:secret@", ""))) {
            free(backend, "lock");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "app:mistaken@, user or password are wrong",
        "nobody:secret@, user or password are wrong",
    })
    void wrongCredentialsAreRefusedAtOnceAndNotShown(String credentials, String advice) {
        assertThatThrownBy(() -> LockClient.connect(url(credentials, "")))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining(advice)
                .hasMessageNotContainingAny("secret", "mistaken");
    }

    @Test
    void aMissingPasswordIsRefusedAtOnce() {
        try (RedisServer guarded = RedisServer.start("--requirepass", "right")) {
            assertThatThrownBy(() -> LockClient.connect(guarded.url()))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("wants a password");
            assertThatThrownBy(() -> LockClient.connect("redis://:mistaken@" + guarded.host() + ":" + guarded.port()))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("user or password are wrong");
            LockClient.connect("redis://:right@" + guarded.host() + ":" + guarded.port())
                    .close();
        }
    }

    @Test
    void aDatabaseThatIsNotThereIsRefusedAtOnce() {
        assertThatThrownBy(() -> LockClient.connect(url("", "/99")))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("does not have the database");
    }

    @Test
    void aDatabaseThatTheUserMayNotSelectIsRefusedAtOnce() {
        assertThatThrownBy(() -> LockClient.connect(url("app:secret@", "/1")))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("lacks a permission")
                .hasMessageContaining("'select'");
        AclUser.on(server, "selecting", with(AclUser.RULES, AclUser.FOR_A_DATABASE));
        LockClient.connect(url("selecting:secret@", "/1")).close();
    }

    @Test
    void missingPermissionsAreNamedAndRefusedAtOnce() {
        AclUser.on(server, "reader", List.of("~mortise:*", "&*", "+@read", "+eval", "+evalsha", "+time"));
        assertThatThrownBy(() -> Claims.open(url("reader:secret@", "")))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("lacks a permission")
                .hasMessageContaining("+del +getex +pexpire +publish +set +zadd +zrem +zremrangebyscore")
                .hasMessageContaining("docs/backends/redis.md");
        AclUser.on(server, "nobody", List.of("-@all"));
        assertThatThrownBy(() -> Claims.open(url("nobody:secret@", "")))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("lacks a permission");
    }

    @Test
    void aMissingPermissionToAskTheReplicasIsRefusedAtOnce() {
        assertThatThrownBy(() -> Claims.open(url("app:secret@", "?replicas=1")))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("+wait");
    }

    @Test
    void aGrantThatMayNotBeConfirmedIsGivenBack() throws InterruptedException {
        String user = AclUser.on(server, "confirming", with(AclUser.RULES, AclUser.FOR_REPLICAS));
        try (RedisBackend backend = Claims.open(user + "?replicas=1")) {
            server.command("ACL", "SETUSER", "confirming", "-wait");
            assertUnknown(() -> plain(backend, "unconfirmed").tryAcquire(AMPLE))
                    .hasMessageContaining("lacks a permission")
                    .hasMessageContaining("+wait");
            assertThat(server.command("EXISTS", Claims.keys("unconfirmed").lock()))
                    .isEqualTo(0L);
        }
    }

    @Test
    void aPermissionThatIsTakenAwayAndGivenBackIsToldAndNothingIsLost() throws Exception {
        List<Loss> losses = new CopyOnWriteArrayList<>();
        String user = AclUser.on(server, "withdrawn", AclUser.RULES);
        try (LockClient client = LockClient.builder(Claims.open(user))
                .options(LockOptions.defaults().withLease(Duration.ofSeconds(60)))
                .build()) {
            Lease lease = client.lock("kept").acquire().onLost(losses::add);
            server.command("ACL", "SETUSER", "withdrawn", "-@all");

            for (int i = 0; i < 2; i++) {
                long asked = System.nanoTime();
                assertThatThrownBy(() -> client.lock("other").acquire())
                        .isInstanceOf(LockConfigurationException.class)
                        .hasMessageContaining("ACL SETUSER")
                        .hasMessageContaining("+evalsha");
                assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(30));
            }
            AclUser.on(server, "withdrawn", AclUser.RULES);
            client.lock("other").acquire().release();
            assertThat(lease.release()).isTrue();
            assertThat(losses).isEmpty();
        }
    }

    /** And the holder is told why, if it is not given back before its lease ends. */
    @Test
    void renewalsWithoutPermissionAreToldAsRefused() throws Exception {
        List<Loss> losses = new CopyOnWriteArrayList<>();
        String user = AclUser.on(server, "never-again", AclUser.RULES);
        try (RedisBackend backend = Claims.open(user)) {
            Claim holder = granted(plain(backend, "held"));
            server.command("ACL", "SETUSER", "never-again", "-@all");
            assertRefused(() -> backend.renewAll(Claims.renewals(holder), AMPLE))
                    .hasMessageContaining("+evalsha");
            assertRefused(() -> holder.renew(Claims.LEASE, AMPLE)).hasMessageContaining("+evalsha");
            assertRefused(() -> holder.release(AMPLE)).hasMessageContaining("+evalsha");
            assertRefused(() -> backend.list("", "", 10, AMPLE)).hasMessageContaining("+scan");
            AclUser.on(server, "never-again", AclUser.RULES);
            assertThat(holder.renew(Claims.LEASE, AMPLE)).isTrue();

            server.command("ACL", "SETUSER", "never-again", "-pexpire");
            assertRefused(() -> holder.renew(Claims.LEASE, AMPLE)).hasMessageContaining("lacks a permission");
            AclUser.on(server, "never-again", AclUser.RULES);
        }
        try (LockClient client = LockClient.builder(Claims.open(user))
                .options(LockOptions.defaults().withLease(Duration.ofSeconds(2)))
                .build()) {
            Lease lease = client.lock("lost").acquire().onLost(losses::add);
            server.command("ACL", "SETUSER", "never-again", "-@all");
            await().atMost(Duration.ofSeconds(20)).until(() -> !losses.isEmpty());
            assertThat(losses.get(0).toString()).contains("refused to renew").contains("+evalsha");
            assertThat(lease.isHeld()).isFalse();
            AclUser.on(server, "never-again", AclUser.RULES);
        }
    }

    @Test
    void aReplicaIsRefusedAtOnceAndItsMasterNamed() throws InterruptedException {
        try (RedisServer replica = RedisServer.start("--replicaof", server.host() + " " + server.port())) {
            assertThatThrownBy(() -> LockClient.connect(replica.url()))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("is a replica")
                    .hasMessageContaining(replica.host() + ":" + replica.port())
                    .hasMessageContaining("its master is " + server.host() + ":" + server.port());
        }
    }

    @Test
    void aServerOfAClusterIsRefusedAtOnceByAUrlOfOneServer() {
        try (RedisServer node = RedisServer.start("--cluster-enabled", "yes")) {
            assertThatThrownBy(() -> LockClient.connect(node.url()))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("redis+cluster:")
                    .hasMessageContaining(node.host() + ":" + node.port());
        }
    }

    @Test
    void aUserThatMayNotReadTheSettingsConnects() throws InterruptedException {
        AclUser.on(server, "uninformed", with(AclUser.RULES, "-info"));
        try (RedisBackend backend = Claims.open(url("uninformed:secret@", ""))) {
            free(backend, "lock");
        }
    }

    @Test
    void otherKeysAndChannelsAreOutOfReach() {
        assertThatThrownBy(() -> Claims.open(url("app:secret@", "?prefix=other:")))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("lacks a permission");
    }

    @Test
    void aServerNamedTwiceIsRefused() {
        String host = server.host() + ":" + server.port();
        assertThatThrownBy(() -> Claims.open("redis+cluster://" + host + "," + host))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining(host)
                .hasMessageContaining("twice");
    }

    /** Listing what the scripts and the client call is how the rules were made; this keeps them so. */
    @Test
    void theRulesAllowExactlyTheCommandsThatAreCalled() {
        Set<String> called = new TreeSet<>(BESIDE_SCRIPTS);
        Arrays.stream(Script.values())
                .filter(script ->
                        !Set.of(Script.GUARD, Script.CHECK, Script.REDISSON).contains(script))
                .flatMap(script -> CALL.matcher(script.text()).results())
                .map(MatchResult::group)
                .map(call -> CALL.matcher(call).replaceAll("$1").toLowerCase(Locale.ROOT))
                .forEach(called::add);
        Set<String> allowed = new TreeSet<>();
        AclUser.RULES.stream().filter(rule -> rule.startsWith("+")).forEach(rule -> allowed.add(rule.substring(1)));

        assertThat(allowed).isEqualTo(called);
        assertThat(AclUser.RULES)
                .contains("resetkeys", "resetchannels", "-@all", "~mortise:*", "&mortise:client:*")
                .doesNotContain("allkeys", "allchannels", "~*", "&*");
    }

    /** What is checked at connecting is what the scripts need, so that a missing permission is told then. */
    @Test
    void everyCommandOfTheScriptsIsCheckedAtConnecting() {
        Set<String> checked = new TreeSet<>();
        CHECKED.matcher(Script.CHECK.text()).results().forEach(found -> checked.add(found.group(1)));
        Set<String> called = new TreeSet<>();
        Arrays.stream(Script.values())
                .filter(script ->
                        !Set.of(Script.GUARD, Script.CHECK, Script.REDISSON).contains(script))
                .flatMap(script -> CALL.matcher(script.text()).results())
                .forEach(found -> called.add(found.group(1)));

        assertThat(checked).isEqualTo(called);
    }

    private static String url(String credentials, String options) {
        return "redis://" + credentials + server.host() + ":" + server.port() + options;
    }
}
