// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NodeNamesTest {
    private static final String OWNER = "0123456789abcdef0123456789abcdef";

    private final NodeNames names = new NodeNames(OWNER);

    @Test
    void allNamesOfAClaimHaveItsPrefix() {
        assertThat(List.of(names.next(), names.next())).allMatch(name -> name.startsWith(names.prefix()));
        assertThat(names.prefix()).isEqualTo(new NodeNames(OWNER).prefix());
        assertThat(names.prefix()).isNotEqualTo(new NodeNames("any other string \ud800").prefix());
    }

    @Test
    void noNameIsUsedTwice() {
        assertThat(List.of(names.next(), names.next(), names.next())).doesNotHaveDuplicates();
    }

    @Test
    void aNameWithASequenceIsANodeOfAQueue() {
        String node = names.next() + "0000000000";
        assertThat(QueueOrder.inOrder(List.of(node))).containsExactly(node);
    }

    @Test
    void namesDoNotShowTheOwner() {
        assertThat(names.next()).matches("[0-9a-f]{32}-").doesNotContain(OWNER);
        assertThat(names.prefix()).hasSize(24).doesNotContain(OWNER.substring(0, 8));
    }
}
