// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration;

import io.mortise.lock.migration.window.MigrationWindow;

/**
 * A process that has told that it follows a migration. Immutable.
 *
 * @param label who it is, as its locks say; empty before it has asked for one
 * @param window the window that it has read last
 */
public record MigrationProcess(String label, MigrationWindow window) {}
