// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.LockConfigurationException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AclTextTest {
    @Test
    void openAndCreatorAreTheUsualLists() {
        assertThat(AclText.parse("open", false)).isEqualTo(Ids.OPEN_ACL_UNSAFE);
        assertThat(AclText.parse("creator", true)).isEqualTo(Ids.CREATOR_ALL_ACL);
    }

    @Test
    void aListIsReadAsZkCliReadsIt() {
        assertThat(AclText.parse("world:anyone:r,digest:ops:c2hhMQ==:cdrwa,auth::rw", true))
                .containsExactly(
                        new ACL(Perms.READ, new Id("world", "anyone")),
                        new ACL(Perms.ALL, new Id("digest", "ops:c2hhMQ==")),
                        new ACL(Perms.READ | Perms.WRITE, new Id("auth", "")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "everybody", "world:anyone", "world:anyone:", "world:anyone:x", "open,creator"})
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> AclText.parse(text, true))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("acl is open");
    }

    @Test
    void creatorWithoutAUserIsRefused() {
        assertThatThrownBy(() -> AclText.parse("creator", false))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("user:password");
    }
}
