// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RevocationNotesTest {
    private static final RevocationNotes NONE = new RevocationNotes(Map.of());

    @Test
    void anyReasonSurvivesBesideOthers() {
        byte[] data = NONE.bytesWith("a1-0000000001", " \n\0\ud800 revoked x y");
        data = RevocationNotes.read(data).bytesWith("b1-0000000000", "");
        RevocationNotes notes = RevocationNotes.read(data);

        assertThat(notes.reason("a1-0000000001")).contains(" \n\0\ud800 revoked x y");
        assertThat(notes.reason("b1-0000000000")).contains("");
        assertThat(notes.reason("b1")).isEmpty();
    }

    @Test
    void theOldestGoFirstAndTheNewestStaysHoweverLongItIs() {
        byte[] data = new byte[0];
        for (int i = 0; i < 2_000; i++) {
            data = RevocationNotes.read(data).bytesWith("node-" + i, "because-of-" + i);
        }
        assertThat(data).hasSizeLessThan(RevocationNotes.KEPT + 100);
        assertThat(RevocationNotes.read(data).reason("node-1999")).contains("because-of-1999");
        assertThat(RevocationNotes.read(data).reason("node-1500")).contains("because-of-1500");
        assertThat(RevocationNotes.read(data).reason("node-0")).isEmpty();

        String endless = "x".repeat(RevocationNotes.KEPT * 2);
        data = RevocationNotes.read(data).bytesWith("node", endless);
        assertThat(RevocationNotes.read(data).reason("node")).contains(endless);
        data = RevocationNotes.read(data).bytesWith("next", "short");
        assertThat(RevocationNotes.read(data).reasons()).containsOnly(Map.entry("next", "short"));
    }

    @Test
    void foreignDataAreNoNotes() {
        byte[] data = "revoked\nrevoked a\nrevoked b %zz\nother c d\nrevoked e f\n".getBytes(StandardCharsets.US_ASCII);

        assertThat(RevocationNotes.read(data).reasons()).containsOnly(Map.entry("e", "f"));
    }
}
