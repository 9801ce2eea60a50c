// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.mortise.lock.spi.support.DurationText;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreUrlTest {
    @Test
    void readsEveryPart() {
        StoreUrl url =
                StoreUrl.parse("redis+cluster://app:p%40ss:w@my_host:7000,h2/db%201?prefix=a%26b&mortise.lease=5s");
        assertThat(url.scheme()).isEqualTo("redis+cluster");
        assertThat(url.user()).contains("app");
        assertThat(url.password()).contains("p@ss:w");
        assertThat(url.hosts()).containsExactly("my_host:7000", "h2");
        assertThat(url.path()).isEqualTo("/db 1");
        assertThat(url.option("prefix")).contains("a&b");
        assertThat(url.options()).containsOnlyKeys("prefix", "mortise.lease");
        assertThat(url.toString()).doesNotContain("p%40ss").contains("app:***@");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:sqlite:/tmp/a b.db?mortise.createSchema=false | jdbc:sqlite:/tmp/a b.db",
                "jdbc:h2:mem:x;MODE=MySQL;mortise.createSchema=false;LOCK_TIMEOUT=3 | jdbc:h2:mem:x;MODE=MySQL;LOCK_TIMEOUT=3",
                "jdbc:postgresql://h/db?mortise.table=t&ssl=true | jdbc:postgresql://h/db?ssl=true",
                "jdbc:postgresql://h/db?ssl=true&mortise.table=t | jdbc:postgresql://h/db?ssl=true",
                "jdbc:postgresql://h/db?ssl=true&mortise.table=t&a=b | jdbc:postgresql://h/db?ssl=true&a=b",
            })
    void leavesTheDriversOptionsInTheUrl(String url, String forDriver) {
        assertThat(StoreUrl.parse(url).driverUrl()).isEqualTo(forDriver);
        assertThat(StoreUrl.parse(url).options()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "redis://:hunter2@h | redis://:***@h",
                "redis://u:hunter2@h1:7000,h2/0 | redis://u:***@h1:7000,h2/0",
                "redis://u:a@hunter2@h | redis://u:***@h",
                "redis://hunter2@h | redis://***@h",
                "redis://u:hunter2 | redis:***",
                "redis:u:hunter2@h | redis:***",
                "memory:a b?mortise.label=c d&password=hunter2 | memory:a b?mortise.label=c d&password=***",
                "redis://h?prefix=p:&sasl.Password=hunter2&a=b | redis://h?prefix=p:&sasl.Password=***&***",
                "redis+sentinel://h/m?sentinelPassword=hunter2&timeout=1s | redis+sentinel://h/m?sentinelPassword=***&timeout=1s",
                "zookeeper://h/?authToken=hunter2 | zookeeper://h/?authToken=***",
                "consul://u:hunter2@h:1,g/hunter2?prefix=p&key=hunter2 | consul://u:***@h:1,g***?prefix=p&***",
                "jdbc:postgresql://h/db?user=app&password=Tr0ub4dor,horse;staple | jdbc:postgresql://h/db?user=app&password=***;***",
                "jdbc:postgresql://h:5432/db?password=hunter2&ssl=true | jdbc:postgresql://h:5432/db?password=***&ssl=true",
                "jdbc:postgresql://u:a/hunter2@h/db | jdbc:postgresql:***",
                "jdbc:h2:mem:x;USER=sa;PASSWORD=hunter&2;MODE=MySQL | jdbc:h2:mem:x;USER=sa;PASSWORD=***&***;MODE=MySQL",
                "jdbc:h2:mem:x;PASSWORD=&hunter2=3;MODE=MySQL | jdbc:h2:mem:x;PASSWORD=&***;MODE=MySQL",
                "jdbc:h2:tcp://h:9092/~/x;PASSWORD=hunter2 | jdbc:h2:tcp://h:9092/~/x;PASSWORD=***",
                "jdbc:sqlite:/home/me@corp/locks.db?mortise.lease=5s | jdbc:sqlite:/home/me@corp/locks.db?mortise.lease=5s",
                "jdbc:mysql://u:hunter2@h/db | jdbc:mysql://u:***@h/db",
                "jdbc:oracle:thin:u/hunter2@h | jdbc:oracle:***",
                "jdbc:sqlserver://h:1433;user=u;password=hunter2 | jdbc:sqlserver://h:1433;user=u;password=***",
                "hunter2 | ***"
            })
    void showsOnlyWhatIsKnownToBeHarmless(String url, String shown) {
        assertThat(new UrlDisplay(url).shown()).isEqualTo(shown);
        assertThat(Secrets.of(url).mask("'" + url + "'"))
                .doesNotContain("hunter2")
                .doesNotContain("Tr0ub4dor")
                .doesNotContain("staple");
    }

    @Test
    void secretsAreMaskedAsWrittenAndDecodedAndInParts() {
        Secrets secrets = StoreUrl.parse("redis://app:p%40ss%2Fw0rd:next@host?prefix=locks")
                .secrets();
        assertThat(secrets.mask("p%40ss%2Fw0rd:next P@SS/W0RD:NEXT w0rd next p@ss app host locks"))
                .isEqualTo("*** *** *** *** *** app host locks");
        assertThat(Secrets.of("jdbc:h2:mem:x;PASSWORD=ab;cd&ef;MODE=DB2").mask("ab;cd&ef MODE mem ab"))
                .isEqualTo("*** MODE mem ab");
        assertThat(StoreUrl.parse("redis://host").secrets().mask("host")).isEqualTo("host");
        assertThat(secrets).hasToString("Secrets");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://u:hunter/2@h",
                "redis://u:hunter2/x@h",
                "redis://u:1234?hunter2=x@h",
                "redis://u:hunter2?x@h",
                "memory:x?hunter2@",
                "memory:x?password=ab&hunter2=1&hunter2=2",
                "redis://u:hunter2%zz@h",
                "hunter2"
            })
    void refusalsShowNoSecrets(String url) {
        assertThatThrownBy(() -> StoreUrl.parse(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("hunter");
    }

    @Test
    void aSlashInAPasswordIsNamedAsTheMistake() {
        for (String url : new String[] {"redis://u:a/b@h", "redis://u:a?b@h", "zookeeper://h/x?acl=sasl:a@B"}) {
            assertThatThrownBy(() -> StoreUrl.parse(url)).as(url).hasMessageContaining("write / as %2F");
        }
        assertThat(StoreUrl.parse("redis://u:a#b@h").password()).contains("a#b");
    }

    @Test
    void refusesWhatItCannotRead() {
        assertThatThrownBy(() -> StoreUrl.parse("localhost")).hasMessageContaining("scheme");
        assertThatThrownBy(() -> StoreUrl.parse("memory:a?x=1&x=2")).hasMessageContaining("x is given twice");
        assertThatThrownBy(() -> StoreUrl.parse("memory:a?x")).hasMessageContaining("name=value");
        assertThatThrownBy(() -> StoreUrl.parse("memory:100%")).hasMessageContaining("%25");
    }

    @Test
    void plusIsNotDecodedAndAnEmptyNameIsAllowed() {
        assertThat(StoreUrl.parse("memory:a+b").path()).isEqualTo("a+b");
        assertThat(StoreUrl.parse("memory:").path()).isEmpty();
        assertThat(StoreUrl.parse("memory:?mortise.label=a+b").option("mortise.label"))
                .contains("a+b");
    }

    @Test
    void readsDurations() {
        assertThat(DurationText.parse("250ms")).isEqualTo(Duration.ofMillis(250));
        assertThat(DurationText.parse("1h30m")).isEqualTo(Duration.ofMinutes(90));
        assertThat(DurationText.parse("2D")).isEqualTo(Duration.ofDays(2));
        assertThat(DurationText.parse("PT1.5S")).isEqualTo(Duration.ofMillis(1500));
        assertThat(DurationText.parse("0s")).isZero();
        for (String wrong : new String[] {"", "5", "s", "-5s", "PT-5S", "5 s", "1h30", "99999999999999999d"}) {
            assertThatThrownBy(() -> DurationText.parse(wrong)).as(wrong).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static StoreUrl store(StoreUrl url, String word) {
        return Objects.requireNonNull(url.stores().get(word));
    }

    /** Each keeps its own parts, and none of its secrets is shown. */
    @Test
    void aMigrationHasTwoStores() {
        StoreUrl url = StoreUrl.parse("migrate:orders?register=from&mortise.lease=9s from"
                + " redis://:old-secret@cache:6379/2 to jdbc:postgresql://db/orders?user=app&password=new-secret");

        assertThat(url.scheme()).isEqualTo("migrate");
        assertThat(url.path()).isEqualTo("orders");
        assertThat(url.options()).containsExactly(entry("register", "from"), entry("mortise.lease", "9s"));
        assertThat(url.stores()).containsOnlyKeys("from", "to");
        assertThat(store(url, "from").password()).contains("old-secret");
        assertThat(store(url, "from").path()).isEqualTo("/2");
        assertThat(store(url, "to").driverUrl()).isEqualTo("jdbc:postgresql://db/orders?user=app&password=new-secret");
        assertThat(url)
                .hasToString("migrate:orders?register=from&mortise.lease=9s from redis://:***@cache:6379/2 to"
                        + " jdbc:postgresql://db/orders?user=app&password=***");
        assertThat(url.secrets().mask("old-secret and new-secret")).isEqualTo("*** and ***");
        assertThat(Secrets.of("migrate:a from redis://:old-secret@h to redis://:new-secret@i")
                        .mask("old-secret, new-secret, from"))
                .isEqualTo("***, ***, from");
    }

    @Test
    void aStoreOfAMigrationThatIsWrongShowsNoSecret() {
        assertThatThrownBy(() -> StoreUrl.parse("migrate:orders from redis://:secret@h?a=1&a=2 to memory:b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("secret");
        assertThat(StoreUrl.parse("migrate:orders").stores()).isEmpty();
        assertThat(StoreUrl.parse("memory:a from memory:b to memory:c").stores())
                .isEmpty();
    }
}
