// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

/**
 * Names one version of an artifact.
 *
 * @param group its group
 * @param artifact its name
 * @param version its version
 */
record Coordinates(String group, String artifact, String version) {
    /** From {@code group:artifact} or {@code group:artifact:version}; without a version it has that of Mortise. */
    static Coordinates parse(String text) {
        String[] parts = text.split(":");
        return new Coordinates(parts[0], parts[1], parts.length > 2 ? parts[2] : Poms.version());
    }

    /** As a pom writes it. */
    String dependency() {
        return """
                <dependency>
                  <groupId>%s</groupId>
                  <artifactId>%s</artifactId>
                  <version>%s</version>
                </dependency>
                """.formatted(group, artifact, version);
    }

    @Override
    public String toString() {
        return group + ":" + artifact + ":" + version;
    }
}
