// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.spi.SafetyLevel;
import io.mortise.lock.spi.StoreUrl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A URL that cannot be meant is refused when it is read, in words that say what to write instead, and that tell no secret. */
class RedisUrlTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "redis:// | names no host",
                "redis://h1,h2 | redis+cluster://h1,h2",
                "redis://h:x | 'h:…' is not a host and a port",
                "redis://h:99999 | 'h:…' is not a host and a port",
                "redis://h:0 | 'h:…' is not a host and a port",
                "redis://[h | '…' is not a host",
                "redis://a:b:c | 'a:…' is not a host and a port",
                "redis+cluster://h1,,h2 | '' is not a host",
                "redis://h/main | redis://host:port/database",
                "redis://h/0/1 | redis://host:port/database",
                "redis://h/-1 | redis://host:port/database",
                "redis://h/9999999999 | redis://host:port/database",
                "redis+sentinel://h1,h2 | redis+sentinel://host1,host2/master",
                "redis+sentinel://h1,h2/1 | redis+sentinel://host1,host2/master",
                "redis+sentinel://h1/a/b | redis+sentinel://host1,host2/master",
                "redis+cluster://h1/3 | leave /3 out",
                "redis+cluster://h1/main | redis+cluster://host1,host2",
                "redis://name@h | user without a password",
                "redis://h?timeout=abc | option timeout is wrong: 'abc' is not a duration",
                "redis://h?timeout=0ms | option timeout must be",
                "redis://h?timeout=40d | option timeout must be",
                "redis://h?connections=0 | option connections must be at least 1",
                "redis://h?connections=many | option connections is wrong: 'many' is not a number",
                "redis://h?replicas=-1 | replicas must not be negative",
                "redis://h?replicas=1.5 | option replicas is wrong: '1.5' is not a number",
                "redis://h?replicas=1&replicaTimeout=0s | at least 1 ms",
                "redis://h?replicaTimeout=100ms | option replicaTimeout goes with replicas",
                "redis://h?prefix=a{b} | not 'a{b}'",
                "redis://h?sentinelUser=a | option sentinelUser is for redis+sentinel",
                "redis+cluster://h?sentinelPassword=a | option sentinelPassword is for redis+sentinel",
                "redis+sentinel://h/m?sentinelUser=a | option sentinelUser goes with sentinelPassword",
                "redis://h?retries=3 | unknown option 'retries'",
            })
    void aWrongUrlIsRefusedWithAdvice(String url, String advice) {
        assertThat(failure(url)).isInstanceOf(LockConfigurationException.class).hasMessageContaining(advice);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://name:s3cret@h1,h2",
                "redis://:s3cret@h:x",
                "redis://name:s3cret@h/main",
                "redis://name:s3cret@h?timeout=abc",
                "redis://name:s3cret@h?prefix={}",
                "redis://name:s3cret@h?retries=3",
                "redis+cluster://h?sentinelPassword=s3cret",
                "redis+sentinel://h?sentinelPassword=s3cret&sentinelUser=name",
                "redis://name:s3cret@/0",
                "redis://name:s3cret@h@i:x",
                "redis://name:s3/cret@h",
                "redis://name:s3%cret@h",
                "redis://name:s3cret",
            })
    void noMessageShowsAPassword(String url) {
        for (Throwable told = failure(url); told != null; told = told.getCause()) {
            assertThat(told.toString()).doesNotContain("s3").doesNotContain("cret");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://127.0.0.1:1",
                "redis://127.0.0.1:1/7",
                "redis://127.0.0.1:1/",
                "redis://[::1]:1",
                "redis://name:pass%40word@127.0.0.1:1",
                "redis://:password@127.0.0.1:1",
                "rediss://127.0.0.1:1?timeout=100ms&connections=1",
                "redis://127.0.0.1:1?prefix=team/app:&replicas=1&replicaTimeout=100ms",
                "redis+sentinel://127.0.0.1:1,127.0.0.1:2/master",
                "redis+sentinel://127.0.0.1:1/master/3?sentinelUser=a&sentinelPassword=b",
                "redis+cluster://127.0.0.1:1,127.0.0.1:2",
                "rediss+cluster://127.0.0.1:1",
            })
    void aServerThatDoesNotAnswerIsNoMistake(String url) {
        LockClient.connect(url).close();
    }

    @Test
    void replicasMakeTheSafetyLevel() {
        assertThat(level("redis://127.0.0.1:1")).isEqualTo(SafetyLevel.SINGLE_STORE);
        assertThat(level("redis://127.0.0.1:1?replicas=1")).isEqualTo(SafetyLevel.REPLICATED);
    }

    private static SafetyLevel level(String url) {
        try (RedisBackend backend = (RedisBackend) new RedisBackendProvider().open(StoreUrl.parse(url))) {
            return backend.safetyLevel();
        }
    }

    private static Throwable failure(String url) {
        return catchThrowable(() -> LockClient.connect(url).close());
    }
}
