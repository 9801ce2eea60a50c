// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Runs clients in a JVM of its own, with the class path of this one, as an application would that has other settings or other
 * versions of jars. Immutable.
 */
public final class ClientJvm {
    static final String MARK = "client: ";

    private final List<String> options;
    private final Map<String, String> environment;
    private final JvmClassPath classPath;

    private ClientJvm(List<String> options, Map<String, String> environment, JvmClassPath classPath) {
        this.options = options;
        this.environment = environment;
        this.classPath = classPath;
    }

    /**
     * One as this JVM is.
     *
     * @return it does not run yet
     */
    public static ClientJvm create() {
        return new ClientJvm(List.of(), Map.of(), JvmClassPath.own());
    }

    /**
     * One with further options.
     *
     * @param further of the JVM, such as {@code -Dname=value}
     * @return as this one besides
     */
    public ClientJvm with(String... further) {
        return new ClientJvm(
                Stream.concat(options.stream(), Arrays.stream(further)).toList(), environment, classPath);
    }

    /**
     * One with variables besides those of this JVM.
     *
     * @param variables values by name, instead of any that were set before
     * @return as this one besides
     */
    public ClientJvm in(Map<String, String> variables) {
        return new ClientJvm(options, variables, classPath);
    }

    /**
     * One whose class path has another version of a jar.
     *
     * @param jar the other version, named as in a repository: {@code ARTIFACT-VERSION.jar}
     * @return as this one besides
     * @throws IllegalArgumentException if no version of this artifact is on the class path
     */
    public ClientJvm replacing(Path jar) {
        return new ClientJvm(options, environment, classPath.replacing(jar));
    }

    /**
     * One whose class path lacks a jar.
     *
     * @param artifact such as {@code slf4j-nop}
     * @return as this one besides
     * @throws IllegalArgumentException if it lacks it already
     */
    public ClientJvm without(String artifact) {
        return new ClientJvm(options, environment, classPath.without(artifact));
    }

    /**
     * How one URL went.
     *
     * @param outcome {@code works}, or the exception that ended it
     * @param took how long
     */
    public record Result(String outcome, Duration took) {
        /**
         * Whether everything that clients do works.
         *
         * @return false if something has thrown
         */
        public boolean works() {
            return outcome.equals(ClientProgram.WORKS);
        }
    }

    /**
     * Lets two clients do everything that clients do, at each of some URLs, and waits until they have.
     *
     * @param urls the stores
     * @return how it went, in the same order
     * @throws IllegalStateException if the JVM ends without having tried them all, with what it said
     */
    public List<Result> run(String... urls) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1"));
        command.addAll(options);
        command.addAll(List.of("-cp", classPath.toString(), ClientProgram.class.getName()));
        command.addAll(List.of(urls));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        CommandResult said = CommandResult.of(builder);
        List<Result> results = said.out()
                .lines()
                .filter(line -> line.startsWith(MARK))
                .map(line -> line.substring(MARK.length()).split(" ", 2))
                .map(words -> new Result(words[1], Duration.ofMillis(Long.parseLong(words[0]))))
                .toList();
        if (results.size() != urls.length) {
            throw new IllegalStateException("the client JVM has not tried all: " + said);
        }
        return results;
    }
}
