// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.mortise.lock.spi.ClaimRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeTextTest {
    private static final Duration LEASE = Duration.ofSeconds(30);

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a\nlabel b", "\0\ud800", "token 7", "z\u00eb\u00eb"})
    void anyNameLabelAndReasonSurviveARoundTrip(String any) {
        NodeText text = new NodeText(any, any, LEASE, Duration.ofNanos(3), OptionalLong.of(7), Optional.of(any));

        assertThat(NodeText.parse(text.bytes())).isEqualTo(text);
    }

    /** Never to be changed in a way that older versions misread. */
    @Test
    void theTextIsReadable() {
        ClaimRequest request = new ClaimRequest("orders/42", "0".repeat(32), "job@host 7", LEASE, true, 0, 1);

        assertThat(new String(
                        NodeText.of(request)
                                .withToken(9)
                                .withRevocation("stuck")
                                .bytes(),
                        StandardCharsets.US_ASCII))
                .isEqualTo("lock orders|42\nlabel job@host%00207\nlease 30000000000\ntoken 9\nrevoked stuck\n");
    }

    @Test
    void linesOfLaterVersionsAreIgnored() {
        byte[] later = "lock a\nlabel b\nlease 5\ncolour blue\n".getBytes(StandardCharsets.US_ASCII);

        assertThat(NodeText.parse(later).label()).isEqualTo("b");
    }

    @Test
    void foreignDataGiveOnlyTheLock() {
        byte[] foreign = "{\"lock\": 1}".getBytes(StandardCharsets.US_ASCII);

        assertThatIllegalArgumentException().isThrownBy(() -> NodeText.parse(foreign));
        assertThatIllegalArgumentException().isThrownBy(() -> NodeText.parse(null));
        assertThat(NodeText.read("a", foreign).lock()).isEqualTo("a");
    }
}
