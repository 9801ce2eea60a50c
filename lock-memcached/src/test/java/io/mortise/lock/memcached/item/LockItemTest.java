// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached.item;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.LockHolder;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.ClaimRequest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LockItemTest {
    private static final String OWNER = "0123456789abcdef0123456789abcdef";

    private final ClaimRequest request =
            new ClaimRequest("lock", OWNER, "ann@db1/4711", Duration.ofSeconds(30), false, 0, 1);

    /** Were it to change, a client of the new version would take the locks of the old one for a stranger's. */
    @Test
    void theFormatNeverChanges() {
        assertThat(text(LockItem.of(request, 1000).renewed(request.lease(), 1010)))
                .isEqualTo("mortise1 0123456789abcdef0123456789abcdef 30000 1000 1010 ann@db1/4711");
        assertThat(new String(LockItem.revocation("stuck since noon"), US_ASCII))
                .isEqualTo("\nrevoked stuck%0020since%0020noon");
    }

    @Test
    void anyLabelAndReasonComeBackAsGiven() {
        for (String text : List.of("", " ", "%", "%0", "a\nrevoked b", "\ud800", "\0", "漢字", "x".repeat(1500))) {
            LockItem held = LockItem.of(Claims.request("lock", text, Duration.ofSeconds(1)), 7);
            LockItem parsed = LockItem.parse("key", held.encoded());
            LockItem revoked =
                    LockItem.parse("key", (text(held) + revocation("first") + revocation(text)).getBytes(US_ASCII));

            assertThat(parsed).isEqualTo(held);
            assertThat(revoked.label()).isEqualTo(text);
            assertThat(revoked.revoked()).contains(text);
        }
    }

    @Test
    void aForeignValueIsAnError() {
        for (String value :
                List.of("", "hello", "mortise2 a 1 1 1 b", "mortise1 a x 1 1 b", "mortise1 a 1 1 1 %zzzz")) {
            assertThatThrownBy(() -> LockItem.parse("key", value.getBytes(US_ASCII)))
                    .isInstanceOf(BackendException.class)
                    .hasMessageContaining("key")
                    .hasMessageNotContaining(value.isEmpty() ? "\0" : value);
        }
    }

    @Test
    void anItemIsStoredForTwoSecondsMoreThanItsLease() {
        assertThat(LockItem.expiration(Duration.ofMillis(500))).isEqualTo(3);
        assertThat(LockItem.expiration(Duration.ofSeconds(1))).isEqualTo(3);
        assertThat(LockItem.expiration(Duration.ofSeconds(1).plusNanos(1))).isEqualTo(4);
        assertThat(LockItem.expiration(Duration.ofSeconds(30))).isEqualTo(32);
    }

    @Test
    void theLongestLeaseIsNotTakenForADate() {
        assertThat(LockItem.expiration(Duration.ofDays(30).minusSeconds(2))).isEqualTo(30 * 24 * 60 * 60);
    }

    @Test
    void aLeaseThatMemcachedWouldTakeForADateIsRefused() {
        assertThatThrownBy(() -> LockItem.expiration(LockItem.LONGEST_LEASE.plusNanos(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no lease longer than");
    }

    @Test
    void aRenewalKeepsTheMomentOfTheGrantAndSetsTheLease() {
        LockHolder renewed =
                LockItem.of(request, 1000).renewed(Duration.ofSeconds(5), 1010).holder("lock", 1012);

        assertThat(renewed.heldFor()).isEqualTo(Duration.ofSeconds(12));
        assertThat(renewed.remaining()).hasValue(Duration.ofSeconds(3));
    }

    @Test
    void shownTimesAreNeverNegative() {
        LockHolder ahead = LockItem.of(request, 1000).holder("lock", 995);
        LockHolder late = LockItem.of(request, 1000).holder("lock", 1100);

        assertThat(ahead.heldFor()).isZero();
        assertThat(ahead.remaining()).hasValue(Duration.ofSeconds(30));
        assertThat(late.heldFor()).isEqualTo(Duration.ofSeconds(100));
        assertThat(late.remaining()).hasValue(Duration.ZERO);
    }

    @Test
    void theOwnerIsASecret() {
        assertThat(LockItem.of(request, 1000).toString()).doesNotContain(OWNER);
        assertThat(LockItem.of(request, 1000).holder("lock", 1000).toString()).doesNotContain(OWNER);
    }

    private static String text(LockItem holding) {
        return new String(holding.encoded(), US_ASCII);
    }

    private static String revocation(String reason) {
        return new String(LockItem.revocation(reason), US_ASCII);
    }
}
