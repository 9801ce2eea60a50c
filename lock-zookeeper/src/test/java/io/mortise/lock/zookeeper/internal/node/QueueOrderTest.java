// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

class QueueOrderTest {
    private static final String OWNER = "00112233445566778899aabbccddeeff";

    /** As the server makes names, from a counter that overflows. */
    private static String node(int sequence) {
        return OWNER + "-" + String.format(Locale.ENGLISH, "%010d", sequence);
    }

    @Test
    void nodesAreOrderedBySequence() {
        List<String> inOrder = QueueOrder.inOrder(List.of(node(12), node(3), node(7)));

        assertThat(inOrder).containsExactly(node(3), node(7), node(12));
        assertThat(QueueOrder.before(inOrder, node(12))).contains(node(7));
        assertThat(QueueOrder.before(inOrder, node(3))).isEmpty();
    }

    @Test
    void theOwnerDoesNotAffectTheOrder() {
        String early = "f".repeat(32) + "-0000000001";
        String late = "0".repeat(32) + "-0000000002";

        assertThat(QueueOrder.inOrder(List.of(late, early))).containsExactly(early, late);
    }

    /** P21. */
    @Test
    void theOrderSurvivesTheOverflowOfTheSequence() {
        List<String> line = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            line.add(node(Integer.MAX_VALUE - 150 + i));
        }
        assertThat(line).contains(OWNER + "--2147483648", OWNER + "-2147483647");
        List<String> shuffled = new ArrayList<>(line);
        for (int seed = 0; seed < 20; seed++) {
            Collections.shuffle(shuffled, new Random(seed));
            assertThat(QueueOrder.inOrder(shuffled)).isEqualTo(line);
        }
    }

    @Test
    void theOrderSurvivesTheReturnToZero() {
        List<String> line = List.of(node(-2), node(-1), node(0), node(1));

        assertThat(line).contains(OWNER + "--000000001");
        assertThat(QueueOrder.inOrder(List.of(node(1), node(-1), node(0), node(-2))))
                .isEqualTo(line);
    }

    @Test
    void foreignNodesAreIgnored() {
        assertThat(QueueOrder.inOrder(List.of(
                        "_c_2f8a6b1e-0000-4000-8000-000000000000-lock-0000000000",
                        "lock-0000000000",
                        "config",
                        OWNER + "-",
                        OWNER + "-12",
                        OWNER.toUpperCase(Locale.ROOT) + "-0000000001",
                        node(4))))
                .containsExactly(node(4));
        assertThat(QueueOrder.inOrder(List.of("lock-0000000000"))).isEmpty();
    }
}
