// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.migration;

import io.mortise.lock.migration.Migration;
import picocli.CommandLine.Option;

/** The option to go on where it cannot be shown that tokens rise. */
final class TokenOptions {
    @Option(
            names = "--tokens-may-fall",
            description =
                    "Go on where it cannot be shown that tokens rise. Only where nothing that the locks protect checks tokens.")
    private boolean mayFall;

    void apply(Migration migration) {
        migration.tokensMayFall(mayFall);
    }
}
