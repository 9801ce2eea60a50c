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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The real backend with a mistake in its scripts: its classes once more, by a loader that changes what they read. */
final class EditedScripts extends ClassLoader {
    private static final String OURS = EditedScripts.class.getPackageName() + ".";

    /** What becomes of a script. */
    @FunctionalInterface
    interface Edit {
        /** The text, changed or not; the file is called like {@code acquire.lua}. */
        String of(String file, String text);
    }

    private final Edit edit;
    private boolean edited;

    private EditedScripts(Edit edit) {
        super(EditedScripts.class.getClassLoader());
        this.edit = edit;
    }

    /** A client of the real backend as it is. */
    static LockBackend openUnedited(String url) {
        return new RedisBackendProvider().open(StoreUrl.parse(url));
    }

    /** A client whose scripts have some words replaced, wherever they stand. They must stand somewhere. */
    static LockBackend open(String url, String right, String wrong) {
        return open(url, (file, text) -> text.replace(right, wrong));
    }

    /** A client whose scripts are edited. At least one must be changed. */
    static LockBackend open(String url, Edit edit) {
        EditedScripts loader = new EditedScripts(edit);
        try {
            LockBackendProvider provider = (LockBackendProvider) loader.loadClass(RedisBackendProvider.class.getName())
                    .getConstructor()
                    .newInstance();
            LockBackend backend = provider.open(StoreUrl.parse(url));
            loader.scripts();
            if (!loader.edited) {
                backend.close();
                throw new IllegalStateException("the edit changes no script");
            }
            return backend;
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The texts of all scripts, edited. */
    static List<String> texts(Edit edit) {
        EditedScripts loader = new EditedScripts(edit);
        try {
            List<String> texts = new ArrayList<>();
            for (Object script : loader.scripts().getEnumConstants()) {
                texts.add((String) loader.scripts().getMethod("text").invoke(script));
            }
            return texts;
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private Class<?> scripts() throws ClassNotFoundException {
        return Class.forName(Script.class.getName(), true, this);
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
            String changed = edit.of(name.substring(name.lastIndexOf('/') + 1), text);
            edited |= !changed.equals(text);
            bytes = changed.getBytes(StandardCharsets.UTF_8);
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
