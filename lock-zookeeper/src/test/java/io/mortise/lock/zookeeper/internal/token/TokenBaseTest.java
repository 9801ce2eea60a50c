// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.zookeeper.internal.session.Session;
import java.nio.charset.StandardCharsets;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;

class TokenBaseTest {
    private static final long CREATED_MILLIS = 1_795_000_000_000L;
    private static final long EPOCH = 1L << 32;

    private static TokenBase base(byte[] data, long since) {
        Stat stat = new Stat();
        stat.setCtime(CREATED_MILLIS);
        stat.setMzxid(since);
        return TokenBase.of(new Session.Data(data, stat));
    }

    private static TokenBase fresh() {
        return base(new byte[0], EPOCH + 1);
    }

    @Test
    void tokensCountFromTheBasesCreationInMicroseconds() {
        assertThat(fresh().token(EPOCH + 5)).isEqualTo(CREATED_MILLIS * 1000 + 32 * (EPOCH + 5));
    }

    @Test
    void everyZxidHasItsOwnRangeOfTokens() {
        TokenBase base = fresh();
        long token = base.token(EPOCH + 5);

        assertThat(base.isAbove(EPOCH + 5, token + TokenBase.SCALE - 1)).isTrue();
        assertThat(base.isAbove(EPOCH + 5, token + TokenBase.SCALE)).isFalse();
    }

    @Test
    void aRaisedBaseIsAboveTheTokenByWhatWasAskedFor() {
        long token = fresh().token(EPOCH + 5) + 1_000_000;

        TokenBase exact = base(fresh().raisedAbove(EPOCH + 5, token, 0), EPOCH + 9);
        assertThat(exact.token(EPOCH + 6)).isEqualTo(token + 1);
        TokenBase ahead = base(fresh().raisedAbove(EPOCH + 5, token, TokenBase.AHEAD), EPOCH + 9);
        assertThat(ahead.token(EPOCH + 6)).isEqualTo(token + 1 + TokenBase.AHEAD);
    }

    @Test
    void aRaiseDoesNotChangeEarlierTokens() {
        TokenBase first = fresh();
        TokenBase second = base(first.raisedAbove(EPOCH + 20, first.token(EPOCH + 20) + 500, 0), EPOCH + 21);
        TokenBase third = base(second.raisedAbove(EPOCH + 40, second.token(EPOCH + 40) + 900, 0), EPOCH + 41);

        assertThat(third.tokenThen(EPOCH + 10)).isEqualTo(first.token(EPOCH + 10));
        assertThat(third.tokenThen(EPOCH + 30)).isEqualTo(second.token(EPOCH + 30));
        assertThat(third.tokenThen(EPOCH + 50)).isEqualTo(third.token(EPOCH + 50));
        assertThat(third.tells(EPOCH + 50)).isTrue();
        assertThat(third.tells(EPOCH + 30)).isFalse();
    }

    @Test
    void theHistoryIsBounded() {
        TokenBase base = fresh();
        for (int i = 1; i <= 1000; i++) {
            base = base(base.raisedAbove(EPOCH + 10L * i, base.token(EPOCH + 10L * i) + 100, 0), EPOCH + 10L * i + 1);
        }
        assertThat(base.earlier()).hasSizeLessThan(40);
        assertThat(base.token(EPOCH + 10_010)).isGreaterThan(fresh().token(EPOCH + 10_010) + 60_000);
    }

    @Test
    void theHighestFloorLeavesRoomForThousandsOfElections() {
        long czxid = 100 * EPOCH;
        byte[] raised = fresh().raisedAbove(czxid, ClaimRequest.HIGHEST_TOKEN_FLOOR + 1, TokenBase.AHEAD);

        long later = base(raised, czxid + 1).token(czxid + 30_000 * EPOCH);
        assertThat(later).isGreaterThan(ClaimRequest.HIGHEST_TOKEN_FLOOR);
        TokenBase.checkRange(later);
    }

    @Test
    void withoutFloorsThereIsRoomForFiftyThousandElections() {
        TokenBase.checkRange(fresh().token(50_000 * EPOCH));
        long tooMany = fresh().token(55_000 * EPOCH);
        assertThatThrownBy(() -> TokenBase.checkRange(tooMany))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("2^53");
    }

    @Test
    void zxidsThatDoNotFitAreRefused() {
        assertThatThrownBy(() -> fresh().token(Long.MAX_VALUE / 2)).isInstanceOf(LockConfigurationException.class);
    }

    @Test
    void tokensOfARebuiltEnsembleRiseAboveTheOldOnes() {
        long old = fresh().token(EPOCH + 1_000_000);
        Stat stat = new Stat();
        stat.setCtime(CREATED_MILLIS + 3_600_000);
        TokenBase anew = TokenBase.of(new Session.Data(new byte[0], stat));

        assertThat(anew.token(EPOCH + 10)).isGreaterThan(old);
    }

    @Test
    void aForeignBaseNodeIsRefused() {
        byte[] foreign = "hello".getBytes(StandardCharsets.US_ASCII);
        assertThatThrownBy(() -> base(foreign, 1)).isInstanceOf(LockConfigurationException.class);
    }
}
