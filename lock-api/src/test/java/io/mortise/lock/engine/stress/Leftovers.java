// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.stress;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds what a client keeps that has nothing to do: entries of its collections, and threads. */
final class Leftovers {
    private static final String ENGINE = "io.mortise.lock.engine.";

    /** What a client keeps for its life. */
    private static final Set<String> LASTING = Set.of("Settings", "EventDispatcher.listeners", "ClaimFactory.features");

    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<String> found = new ArrayList<>();

    private Leftovers() {}

    /** All collections of the engine behind an object that are not empty. */
    static List<String> in(Object client) {
        Leftovers leftovers = new Leftovers();
        try {
            leftovers.walk("", client);
        } catch (IllegalAccessException impossible) {
            throw new AssertionError(impossible);
        }
        return leftovers.found;
    }

    /** What the threads of all clients do. */
    static String stacks() {
        StringBuilder text = new StringBuilder();
        Thread.getAllStackTraces().forEach((thread, stack) -> {
            if (thread.getName().startsWith("mortise-")) {
                text.append("\n    ").append(thread.getName()).append(' ').append(thread.getState());
                Stream.of(stack).limit(12).forEach(element -> text.append("\n        at ")
                        .append(element));
            }
        });
        return text.toString();
    }

    /** The threads of all clients. */
    static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("mortise-"))
                .sorted()
                .toList();
    }

    private void walk(String path, Object object) throws IllegalAccessException {
        if (!seen.add(object)) {
            return;
        }
        for (Class<?> type = object.getClass(); type != null && type != Object.class; type = type.getSuperclass()) {
            Field[] fields = isOfEngine(type) ? type.getDeclaredFields() : new Field[0];
            AccessibleObject.setAccessible(fields, true);
            for (Field field : fields) {
                Object value = Modifier.isStatic(field.getModifiers())
                                || field.getType().isPrimitive()
                        ? null
                        : field.get(object);
                if (value != null) {
                    look(path, type.getSimpleName() + "." + field.getName(), value);
                }
            }
        }
    }

    private static boolean isOfEngine(Class<?> type) {
        return (type.getName().startsWith(ENGINE) && type.getPackage() != Leftovers.class.getPackage())
                || type.getName().equals("io.mortise.lock.LockClient");
    }

    private void look(String way, String path, Object value) throws IllegalAccessException {
        if (LASTING.contains(path) || LASTING.contains(value.getClass().getSimpleName())) {
            if (value instanceof Collection<?> lasting) {
                for (Object element : lasting) {
                    walk(way + " > " + path, element);
                }
            }
        } else if (value instanceof Collection<?> collection) {
            add(way, path, collection);
        } else if (value instanceof Map<?, ?> map) {
            add(way, path, map.values());
        } else if (value instanceof Object[] array) {
            add(way, path, Stream.of(array).filter(Objects::nonNull).toList());
        } else if (isOfEngine(value.getClass())
                && !value.getClass().isEnum()
                && !value.getClass().isHidden()) {
            walk(way + " > " + path, value);
        }
    }

    /** What changes meanwhile is looked at again anyway. */
    private void add(String way, String path, Collection<?> elements) {
        int size = elements.size();
        if (size == 0) {
            return;
        }
        String kind = "?";
        try {
            kind = Stream.of(elements.toArray())
                    .filter(Objects::nonNull)
                    .limit(1)
                    .map(element -> element.getClass().getName())
                    .collect(Collectors.joining());
        } catch (RuntimeException changing) {
            kind = changing.toString();
        }
        found.add(way + " > " + path + ": " + size + " of " + kind);
    }
}
