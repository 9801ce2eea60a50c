// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.spi.BackendException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class FailureClassifierTest {
    private final FailureClassifier classifier = failure -> new BackendException("classified", failure);

    @Test
    void theDriversFailureIsClassifiedWithoutItsWrappers() {
        Exception driver = new IllegalStateException("driver");

        assertThat(classifier.exceptionFor(new ExecutionException(new CompletionException(driver))))
                .hasMessage("classified")
                .hasCause(driver);
    }

    @Test
    void whatIsClassifiedAlreadyStaysAsItIs() {
        BackendException closed = BackendException.closed("Redis");
        LockConfigurationException clear = new LockConfigurationException("clear");

        assertThat(classifier.exceptionFor(new ExecutionException(closed))).isSameAs(closed);
        assertThat(classifier.exceptionFor(clear)).isSameAs(clear);
        assertThat(closed.kind()).isEqualTo(BackendException.Kind.CLOSED);
    }

    @Test
    void anErrorIsThrown() {
        assertThatThrownBy(() -> classifier.exceptionFor(new ExecutionException(new OutOfMemoryError("on purpose"))))
                .isInstanceOf(OutOfMemoryError.class);
    }
}
