// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.stress;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Starts the threads of callers: virtual ones where the JVM has them and the weather says so. */
final class Callers {
    static final boolean HAVE_VIRTUAL_THREADS = Runtime.version().feature() >= 21;

    private Callers() {}

    static Thread start(boolean virtual, String name, Runnable body) {
        if (!virtual) {
            return Time.start(name, body);
        }
        try {
            Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
            return (Thread) start.invoke(null, body);
        } catch (InvocationTargetException | NoSuchMethodException | IllegalAccessException impossible) {
            throw new LinkageError("virtual threads", impossible);
        }
    }
}
