// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulation finds engines with one line of their source changed: schedules without a failure mean something. */
class FaultsAreFoundTest {
    private static final Path ENGINE = Path.of("src", "main", "java", "io", "mortise", "lock", "engine");

    /**
     * A line, and what stands there instead.
     *
     * @param told how the failure begins
     */
    record Fault(String file, String line, String changed, String told) {}

    static Stream<Fault> faults() {
        return Stream.of(
                new Fault(
                        "lease/Validity.java",
                        "return nanos - elapsed(ticker);",
                        "return nanos;",
                        ".* holds .*, and so does"),
                new Fault(
                        "acquisition/Acquisition.java",
                        "Validity.of(asked, options.lease()",
                        "Validity.of(Moment.now(ticker), options.lease()",
                        ".* (holds .*, and so does|got the token .* after)"),
                new Fault(
                        "acquisition/Acquisition.java",
                        "if (wait != null && wait.mayBeKept) {",
                        "if (wait != null && wait.grantedLate) {",
                        ".* is still locked"),
                new Fault(
                        "acquisition/Acquisition.java",
                        "services.cleanup().release(name, wait.claimRelease, Nanos.of(ClaimFactory.stored(options)));",
                        "",
                        ".* is still locked"),
                new Fault(
                        "acquisition/Acquisition.java",
                        "                    left.leave();\n",
                        "",
                        ".* got no answer in good weather"),
                new Fault(
                        "acquisition/TimeBudget.java",
                        "return isLimited() ? waitLimit - (now - start) : Nanos.FOREVER;",
                        "return isLimited() ? waitLimit - (now - start) / 2 : Nanos.FOREVER;",
                        ".* waited too long"),
                new Fault(
                        "lease/HeldLease.java",
                        "time.renewed(asked, spent)",
                        "time.renewed(Moment.now(services.ticker()), spent)",
                        ".* holds .*, and so does"),
                new Fault(
                        "lease/HeldLease.java",
                        "fencingToken == 0 ? 0 : fencingToken + 1",
                        "fencingToken",
                        ".* got the token .* after"),
                new Fault(
                        "lease/HeldLease.java",
                        "            if (taken) {\n                ticket.leave();\n            }\n",
                        "",
                        ".*"),
                new Fault(
                        "lease/ClaimRelease.java",
                        "return once(ticker.nanos(), end) || inDoubt;",
                        "return once(ticker.nanos(), end);",
                        ".* was told of a loss that was none"),
                new Fault("local/LocalQueue.java", "                    first.toBeWoken = true;\n", "", ".*"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aFaultIsFound(Fault fault, @TempDir Path directory) throws Exception {
        compile(fault, directory);
        try (ChangedFirst classes = new ChangedFirst(directory)) {
            Method run = classes.loadClass(Schedule.class.getName()).getDeclaredMethod("run", long.class);
            run.setAccessible(true);
            assertThatThrownBy(() -> {
                        for (long seed = 1; seed <= SimulationTest.SCHEDULES; seed++) {
                            run(run, seed);
                        }
                    })
                    .as("%s: %s", fault.file(), fault.changed())
                    .hasMessageMatching("(?s)schedule \\d+: java.lang.AssertionError: " + fault.told() + ".*");
        }
    }

    private static void run(Method schedule, long seed) throws Throwable {
        try {
            Object unused = schedule.invoke(null, seed);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    private static void compile(Fault fault, Path directory) throws IOException {
        Path original = ENGINE.resolve(fault.file());
        String source = Files.readString(original);
        assertThat(source.split(Pattern.quote(fault.line()), -1))
                .as("%s has this once: %s", fault.file(), fault.line())
                .hasSize(2);
        Path changed = directory.resolve(original.getFileName());
        Files.writeString(changed, source.replace(fault.line(), fault.changed()));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter errors = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            List<String> options = List.of(
                    "-proc:none", "-nowarn", "-d", directory.toString(), "-cp", System.getProperty("java.class.path"));
            boolean compiled = compiler.getTask(errors, files, null, options, null, files.getJavaFileObjects(changed))
                    .call();
            assertThat(compiled).as("%s", errors).isTrue();
        }
    }

    /** Takes the changed classes first, and all of Mortise anew, so that they are used. */
    private static final class ChangedFirst extends URLClassLoader {
        ChangedFirst(Path directory) throws IOException {
            super(urls(directory), FaultsAreFoundTest.class.getClassLoader());
        }

        private static URL[] urls(Path directory) throws IOException {
            List<URL> urls = new ArrayList<>();
            urls.add(directory.toUri().toURL());
            for (String entry : System.getProperty("java.class.path").split(Pattern.quote(File.pathSeparator))) {
                urls.add(Path.of(entry).toUri().toURL());
            }
            return urls.toArray(URL[]::new);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                if (!name.startsWith("io.mortise.")) {
                    return super.loadClass(name, resolve);
                }
                Class<?> known = findLoadedClass(name);
                return known == null ? findClass(name) : known;
            }
        }
    }
}
