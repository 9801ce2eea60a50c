// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import io.mortise.lock.redis.scripts.Script;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.LockBackendProvider;
import io.mortise.lock.spi.StoreUrl;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The real backend with a mistake in its scripts: its classes once more, by a loader that changes what they read. */
final class EditedScripts extends ClassLoader {
    private static final String OURS = EditedScripts.class.getPackageName() + ".";

    private final String right;
    private final String wrong;
    private boolean edited;

    private EditedScripts(String right, String wrong) {
        super(EditedScripts.class.getClassLoader());
        this.right = right;
        this.wrong = wrong;
    }

    /** A client of the real backend as it is. */
    static LockBackend openUnedited(String url) {
        return new RedisBackendProvider().open(StoreUrl.parse(url));
    }

    /** A client whose scripts have some words replaced, wherever they stand. They must stand somewhere. */
    static LockBackend open(String url, String right, String wrong) {
        EditedScripts loader = new EditedScripts(right, wrong);
        try {
            LockBackendProvider provider = (LockBackendProvider) loader.loadClass(RedisBackendProvider.class.getName())
                    .getConstructor()
                    .newInstance();
            LockBackend backend = provider.open(StoreUrl.parse(url));
            Class.forName(Script.class.getName(), true, loader);
            if (!loader.edited) {
                backend.close();
                throw new IllegalStateException("no script says: " + right);
            }
            return backend;
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            if (known != null || !name.startsWith(OURS)) {
                return known != null ? known : super.loadClass(name, resolve);
            }
            byte[] bytes = bytes(name.replace('.', '/') + ".class");
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    @Override
    public InputStream getResourceAsStream(String name) {
        byte[] bytes = bytes(name);
        if (name.endsWith(".lua")) {
            String text = new String(bytes, StandardCharsets.UTF_8);
            edited |= text.contains(right);
            bytes = text.replace(right, wrong).getBytes(StandardCharsets.UTF_8);
        }
        return new ByteArrayInputStream(bytes);
    }

    private byte[] bytes(String name) {
        try (InputStream in = getParent().getResourceAsStream(name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
