// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Who may know whom, and what no class of ours does. The drawing is in docs/ARCHITECTURE.md. */
class ArchitectureTest {
    private static final String API = "io.mortise.lock";
    private static final String SPI = "io.mortise.lock.spi";
    private static final String SUPPORT = "io.mortise.lock.spi.support";
    private static final String TESTING = "io.mortise.lock.testing";
    private static final String ENGINE = "io.mortise.lock.engine..";
    private static final String MEMORY = "io.mortise.lock.memory";
    private static final String TCK = "io.mortise.lock.tck..";
    private static final String CLI = "io.mortise.lock.cli..";
    private static final Path SERVICE = Path.of("META-INF/services/io.mortise.lock.spi.LockBackendProvider");
    private static final String OURS = "io.mortise..";

    /** The one door from the API to the engine. */
    private static final String[] DOOR = {"io.mortise.lock.LockClient", "io.mortise.lock.LockClientBuilder"};

    /** The packages of all providers that the modules register, each with what lies under it. */
    private static final List<String> BACKENDS = SourceTree.files(file -> file.endsWith(SERVICE)).stream()
            .filter(file -> SourceTree.relative(file).contains("src/main/"))
            .flatMap(file -> SourceTree.lines(file).stream())
            .filter(provider -> !provider.isBlank())
            .map(provider -> provider.substring(0, provider.lastIndexOf('.')) + "..")
            .sorted()
            .toList();

    /** Who may ask for the time of day, each with its reason; everybody else has a Ticker or the store's clock. */
    private static final Set<String> MAY_READ_THE_CLOCK =
            Set.of("io.mortise.lock.Ticker$1SystemTicker"); // is that Ticker; sees by it that the host was suspended

    /** Who may let time pass, each with its reason. */
    private static final Set<String> MAY_SLEEP =
            Set.of("io.mortise.lock.tck.time.Pause"); // a store's time has to pass, and no test drives that

    /** Who may write to the console, each with its reason. */
    private static final Set<String> MAY_PRINT = Set.of( // main() of child processes: their output is how they answer
            "io.mortise.lock.tck.process.ChildProgram", "io.mortise.lock.tck.servers.process.ClientProgram");

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.mortise.lock");

    @Test
    void allModulesAreAnalysed() {
        assertThat(BACKENDS).contains(MEMORY + "..", "io.mortise.lock.jdbc..").hasSizeGreaterThan(5);
        assertThat(CLASSES.size()).isGreaterThan(150);
        assertThat(Stream.of(
                        API,
                        SPI,
                        "io.mortise.lock.engine",
                        MEMORY,
                        "io.mortise.lock.jdbc",
                        "io.mortise.lock.tck",
                        API + ".cli"))
                .allMatch(CLASSES::containPackage);
    }

    @Test
    void onlyTheClientKnowsTheEngine() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ENGINE)
                .and(DescribedPredicate.not(belongToAny(DOOR)))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ENGINE)
                .check(CLASSES);
    }

    @Test
    void apiAndSpiKnowOnlyEachOther() {
        onlyKnow(List.of(API, SPI, SUPPORT), List.of(ENGINE));
    }

    @Test
    void theEngineKnowsOnlyApiAndSpi() {
        onlyKnow(List.of(ENGINE), List.of(API, SPI, SUPPORT));
    }

    @TestFactory
    Stream<DynamicTest> aBackendKnowsOnlyApiAndSpi() {
        return BACKENDS.stream()
                .map(backend ->
                        DynamicTest.dynamicTest(backend, () -> onlyKnow(List.of(backend), List.of(API, SPI, SUPPORT))));
    }

    @Test
    void theConformanceSuiteKnowsOnlyTheApiModule() {
        onlyKnow(List.of(TCK), List.of(API, SPI, SUPPORT, MEMORY, TESTING));
    }

    @Test
    void packagesHaveNoCycles() {
        slices().assignedFrom(new Layers())
                .should()
                .beFreeOfCycles()
                .ignoreDependency(belongToAny(DOOR), resideInAnyPackage(ENGINE))
                .check(CLASSES);
    }

    @Test
    void librariesDoNotWriteToTheConsole() {
        JavaClasses libraries =
                CLASSES.that(DescribedPredicate.not(resideInAnyPackage(CLI))).that(areNotOneOf(MAY_PRINT));

        NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(libraries);
        NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING.check(libraries);
    }

    @Test
    void namesSayWhatAThingIs() {
        classes()
                .should()
                .haveNameNotMatching(".*[.$](Abstract\\w*|\\w*(Impl|Util|Utils|Helper|Helpers|Manager))")
                .check(CLASSES);
    }

    @Test
    void nobodySleeps() {
        noClasses()
                .that(areNotOneOf(MAY_SLEEP))
                .should()
                .callMethodWhere(calls(Thread.class, "sleep").or(calls(TimeUnit.class, "sleep")))
                .because("a sleep cannot be nudged, closed or driven by a test")
                .check(CLASSES);
    }

    @Test
    void nobodyAsksForTheTimeOfDay() {
        noClasses()
                .that(areNotOneOf(MAY_READ_THE_CLOCK))
                .should()
                .callMethodWhere(calls(System.class, "currentTimeMillis")
                        .or(calls(Instant.class, "now"))
                        .or(calls(Clock.class, "systemUTC"))
                        .or(calls(Clock.class, "systemDefaultZone")))
                .orShould()
                .callConstructor(Date.class)
                .because("leases are counted in monotonic time here and by the store's clock there")
                .check(CLASSES);
    }

    @Test
    void nothingIsLostWhenAQueueCannotGrow() {
        noClasses()
                .that()
                .resideInAnyPackage(ENGINE, SUPPORT)
                .should()
                .callConstructor(ArrayDeque.class)
                .because("without memory to grow it takes itself for empty")
                .check(CLASSES);
    }

    private static void onlyKnow(List<String> these, List<String> others) {
        String[] known = Stream.concat(these.stream(), others.stream()).toArray(String[]::new);
        noClasses()
                .that()
                .resideInAnyPackage(these.toArray(String[]::new))
                .should()
                .dependOnClassesThat(resideInAnyPackage(OURS)
                        .and(DescribedPredicate.not(resideInAnyPackage(known)))
                        .as("of ours outside %s", Arrays.toString(known)))
                .check(CLASSES);
    }

    private static DescribedPredicate<JavaClass> belongToAny(String... names) {
        return DescribedPredicate.describe("belong to " + Arrays.toString(names), type -> Arrays.stream(names)
                .anyMatch(name -> type.getName().equals(name) || type.getName().startsWith(name + "$")));
    }

    private static DescribedPredicate<JavaClass> areNotOneOf(Set<String> names) {
        return DescribedPredicate.describe("are not one of " + names, type -> !names.contains(type.getName()));
    }

    private static DescribedPredicate<JavaMethodCall> calls(Class<?> type, String method) {
        return DescribedPredicate.describe(
                type.getSimpleName() + "." + method,
                call -> call.getTargetOwner().isEquivalentTo(type)
                        && call.getName().equals(method));
    }

    /** One slice for each package; an API and its SPI are one. */
    private static final class Layers implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            String name = type.getPackageName();
            if (name.equals(API) || name.equals(SPI) || name.equals(SUPPORT)) {
                return SliceIdentifier.of(API);
            }
            return SliceIdentifier.of(name);
        }

        @Override
        public String getDescription() {
            return "packages";
        }
    }
}
