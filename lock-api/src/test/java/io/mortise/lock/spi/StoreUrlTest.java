// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.spi.support.DurationText;
import java.time.Duration;
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
    @ValueSource(
            strings = {
                "redis://:hunter2@h",
                "redis://u:hunter2@h1,h2/0",
                "redis://u:a@hunter2@h",
                "memory:x?password=hunter2",
                "redis://h?sasl.Password=hunter2&a=b",
                "jdbc:postgresql://h/db?user=a&password=hunter2",
                "jdbc:h2:mem:x;USER=sa;PASSWORD=hunter2;MODE=MySQL",
                "jdbc:mysql://u:hunter2@h/db",
                "zookeeper://h/?authToken=hunter2"
            })
    void showsNoSecrets(String url) {
        assertThat(StoreUrl.parse(url).toString()).doesNotContain("hunter2").contains("***");
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
}
