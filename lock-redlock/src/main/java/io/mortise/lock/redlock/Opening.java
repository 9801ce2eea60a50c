// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreUrl;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Opens all members at the same time: one that hangs holds up nobody but itself. */
final class Opening {
    private Opening() {}

    /** The backends of all members, in their order; if one cannot be opened, those that were are closed again. */
    static Map<String, LockBackend> all(Map<String, StoreUrl> members, Function<StoreUrl, LockBackend> provider) {
        Map<String, FutureTask<LockBackend>> tasks = new LinkedHashMap<>();
        members.forEach((name, url) -> {
            FutureTask<LockBackend> task = new FutureTask<>(() -> provider.apply(url));
            tasks.put(name, task);
            Thread thread = new Thread(null, task, "lock-redlock opens " + name);
            thread.setDaemon(true);
            thread.start();
        });
        Map<String, LockBackend> opened = new LinkedHashMap<>();
        RuntimeException failed = null;
        for (Map.Entry<String, FutureTask<LockBackend>> task : tasks.entrySet()) {
            try {
                opened.put(task.getKey(), get(task.getValue()));
            } catch (RuntimeException failure) {
                failed = failed == null ? failure : failed;
            }
        }
        if (failed != null) {
            opened.values().forEach(LockBackend::close);
            throw failed;
        }
        return opened;
    }

    /** Opening is bounded by the member itself; an interrupt is left for later. */
    private static LockBackend get(FutureTask<LockBackend> task) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException failed) {
            @Nullable Throwable cause = failed.getCause();
            if (cause instanceof RuntimeException clear) {
                throw clear;
            }
            throw new BackendException("a member cannot be opened", cause);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
