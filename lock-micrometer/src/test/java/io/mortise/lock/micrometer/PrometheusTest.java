// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.mortise.lock.LockEvent;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the dashboard and the rules of the documents ask for is what Prometheus gets. */
class PrometheusTest {
    private static final Path DOCUMENTS = Path.of("..", "docs");
    private static final Pattern SERIES = Pattern.compile("\\bmortise_lock_\\w+");
    private static final Pattern LABELS = Pattern.compile("[{, ](\\w+)(=~|!~|=)\\\\?\"");

    @ParameterizedTest
    @ValueSource(strings = {"dashboard.json", "alerts.yaml"})
    void theDocumentsAskForWhatThereIs(String document) throws IOException {
        String scrape = scrape();
        String text = Files.readString(DOCUMENTS.resolve(document));

        assertThat(all(SERIES, text, 0)).hasSizeGreaterThan(3).isSubsetOf(all(SERIES, scrape, 0));
        Matcher selectors = Pattern.compile("mortise_lock_\\w+\\{[^}]*}").matcher(text);
        Set<String> labels = new TreeSet<>();
        while (selectors.find()) {
            labels.addAll(all(LABELS, selectors.group(), 1));
        }
        assertThat(labels).isNotEmpty().isSubsetOf(all(LABELS, scrape, 1));
    }

    private static String scrape() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        LockMetrics metrics = LockMetrics.of(registry);
        LockEvent event = new LockEvent("orders/42", "store", 1, false, Duration.ofMillis(3), Duration.ofMillis(5));
        metrics.acquired(event);
        metrics.timedOut(event);
        metrics.renewed(event, Duration.ofMillis(1));
        metrics.renewalUnanswered(event, Duration.ofSeconds(1));
        metrics.atRisk(event, Duration.ofSeconds(1));
        metrics.lost(event, new Loss(LossCause.EXPIRED, "test"));
        metrics.released(event);
        String scrape = registry.scrape();
        assertThat(scrape)
                .contains("mortise_lock_wait_seconds_count{lock=\"orders/*\",outcome=\"granted\",store=\"store\"} 1");
        return scrape;
    }

    private static Set<String> all(Pattern pattern, String text, int group) {
        Set<String> all = new TreeSet<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            all.add(matcher.group(group));
        }
        return all;
    }
}
