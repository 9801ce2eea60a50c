// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static io.mortise.lock.redis.AclUser.with;
import static io.mortise.lock.redis.Claims.AMPLE;
import static io.mortise.lock.redis.Claims.assertUnknown;
import static io.mortise.lock.redis.Claims.free;
import static io.mortise.lock.redis.Claims.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.redis.scripts.Script;
import io.mortise.lock.tck.servers.RedisServer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** P3, and O4 at connecting: users, passwords, and what users may do. That the rules suffice is proved by the suite, which runs with them. */
class AccessTest extends RedisServerTest {
    private static final Pattern CALL = Pattern.compile("redis\\.p?call\\('(\\w+)'");
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
        "app:wrong@, user or password are wrong",
        "nobody:secret@, user or password are wrong",
    })
    void wrongCredentialsAreRefusedAtOnceAndNotShown(String credentials, String advice) {
        assertThatThrownBy(() -> LockClient.connect(url(credentials, "")))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining(advice)
                .hasMessageNotContainingAny("secret", ":wrong");
    }

    @Test
    void aMissingPasswordIsRefusedAtOnce() {
        try (RedisServer guarded = RedisServer.start("--requirepass", "right")) {
            assertThatThrownBy(() -> LockClient.connect(guarded.url()))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("wants a password");
            assertThatThrownBy(() -> LockClient.connect("redis://:wrong@" + guarded.host() + ":" + guarded.port()))
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
    void aMissingPermissionIsNamedByTheCallThatNeedsIt() {
        AclUser.on(server, "reader", List.of("~mortise:*", "&*", "+@read", "+eval", "+evalsha", "+time"));
        try (RedisBackend backend = Claims.open(url("reader:secret@", ""))) {
            assertUnknown(() -> plain(backend, "lock").tryAcquire(AMPLE))
                    .hasMessageContaining("lacks a permission")
                    .hasMessageContaining("docs/backends/redis.md");
        }
    }

    @Test
    void aGrantThatMayNotBeConfirmedIsGivenBack() throws InterruptedException {
        try (RedisBackend backend = Claims.open(url("app:secret@", "?replicas=1"))) {
            assertUnknown(() -> plain(backend, "unconfirmed").tryAcquire(AMPLE))
                    .hasMessageContaining("lacks a permission")
                    .hasMessageContaining("'wait'");
            assertThat(server.command("EXISTS", Claims.keys("unconfirmed").lock()))
                    .isEqualTo(0L);
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
        try (RedisBackend backend = Claims.open(url("app:secret@", "?prefix=other:"))) {
            assertUnknown(() -> plain(backend, "lock").tryAcquire(AMPLE)).hasMessageContaining("lacks a permission");
        }
    }

    /** Listing what the scripts and the client call is how the rules were made; this keeps them so. */
    @Test
    void theRulesAllowExactlyTheCommandsThatAreCalled() {
        Set<String> called = new TreeSet<>(BESIDE_SCRIPTS);
        Arrays.stream(Script.values())
                .filter(script -> script != Script.GUARD)
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

    private static String url(String credentials, String options) {
        return "redis://" + credentials + server.host() + ":" + server.port() + options;
    }
}
