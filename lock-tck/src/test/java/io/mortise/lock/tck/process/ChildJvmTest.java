// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.FileBackend;
import io.mortise.lock.tck.LockBackendTck;
import io.mortise.lock.tck.scene.BackendDeclaration;
import io.mortise.lock.tck.scene.Scene;
import io.mortise.lock.tck.scene.StoreUnderTest;
import io.mortise.lock.tck.time.Timing;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a child says of its stalls, and what counts of it. */
class ChildJvmTest {
    private static final Duration FREEZE = Duration.ofSeconds(3);

    /** Made again in the child. */
    static class OnFiles extends LockBackendTck {
        @Override
        public String store() {
            return "";
        }

        @Override
        public LockBackend open(String store) {
            return new FileBackend(Path.of(store), FileBackend.Kind.FENCED);
        }
    }

    @TempDir
    Path directory;

    @Test
    @SuppressWarnings("try") // a cancelled test need not wait
    void aFreezeThatACaseWantsIsNoStall() throws Exception {
        StoreUnderTest tck = new OnFiles();
        try (LockBackend backend = tck.open(directory.toString())) {
            Timing timing = Timing.measured(Duration.ZERO);
            Scene scene = new Scene(tck, timing, directory.toString(), BackendDeclaration.by(backend));
            long start = System.nanoTime();
            try (ChildJvm child = ChildJvm.start(scene, "lock", "write")) {
                child.awaitLine(scene, "WRITE");
                child.freeze();
                long frozen = System.nanoTime();
                scene.pass(FREEZE);
                frozen = System.nanoTime() - frozen;
                child.thaw();
                scene.await(
                        "the child says that it stood still",
                        scene.limit(),
                        () -> child.numbers(ChildProgram.STOOD).stream()
                                .anyMatch(
                                        stall -> stall[0] > FREEZE.dividedBy(2).toNanos()));
                child.kill();

                assertThat(child.stood())
                        .as("at most all of its life but the freeze")
                        .isLessThan(System.nanoTime() - start - frozen);
            }
        }
    }
}
