// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/** Sends all that is logged through slf4j, at every level, to the JDK's logs. Chosen with {@code -Dslf4j.provider}. */
public final class RecordedLogs implements SLF4JServiceProvider, ILoggerFactory {
    @Override
    public org.slf4j.Logger getLogger(String name) {
        return new Recorded(name);
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return this;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return new BasicMarkerFactory();
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return new NOPMDCAdapter();
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0.99";
    }

    @Override
    public void initialize() {}

    private static final class Recorded extends LegacyAbstractLogger {
        private static final long serialVersionUID = 1L;

        Recorded(String name) {
            this.name = name;
        }

        @Override
        protected String getFullyQualifiedCallerName() {
            return "";
        }

        @Override
        protected void handleNormalizedLoggingCall(
                Level level, Marker marker, String message, Object[] arguments, Throwable failure) {
            LogRecord entry =
                    new LogRecord(java.util.logging.Level.INFO, MessageFormatter.basicArrayFormat(message, arguments));
            entry.setLoggerName(name);
            entry.setThrown(failure);
            Logger.getLogger(name).log(entry);
        }

        @Override
        public boolean isTraceEnabled() {
            return true;
        }

        @Override
        public boolean isDebugEnabled() {
            return true;
        }

        @Override
        public boolean isInfoEnabled() {
            return true;
        }

        @Override
        public boolean isWarnEnabled() {
            return true;
        }

        @Override
        public boolean isErrorEnabled() {
            return true;
        }
    }
}
