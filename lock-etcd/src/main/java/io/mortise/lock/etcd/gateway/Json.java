// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd.gateway;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An object of JSON as the gateway writes it: it leaves out what is zero, false or empty, and writes long numbers as strings.
 * Immutable.
 *
 * @param values its values by name: strings, numbers as strings, truth values, lists and objects
 */
public record Json(Map<String, Object> values) {
    private static final JsonFactory FACTORY = new JsonFactory();

    /**
     * Reads an object.
     *
     * @throws IOException if the text is something else
     */
    public static Json read(String text) throws IOException {
        try (JsonParser parser = FACTORY.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("no object of JSON");
            }
            return object(parser);
        }
    }

    private static Json object(JsonParser parser) throws IOException {
        Map<String, Object> values = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            Object value = value(parser);
            if (value != null) {
                values.put(name, value);
            }
        }
        return new Json(values);
    }

    private static @Nullable Object value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> {
                List<Object> list = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    Object element = value(parser);
                    if (element != null) {
                        list.add(element);
                    }
                }
                yield list;
            }
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> parser.getText();
        };
    }

    /** The text of an object of strings, truth values, lists and maps. */
    static String write(Map<String, ?> object) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = FACTORY.createGenerator(text)) {
            write(object, generator);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString();
    }

    private static void write(Object value, JsonGenerator generator) throws IOException {
        if (value instanceof Map<?, ?> object) {
            generator.writeStartObject();
            for (Map.Entry<?, ?> entry : object.entrySet()) {
                generator.writeFieldName(entry.getKey().toString());
                write(entry.getValue(), generator);
            }
            generator.writeEndObject();
        } else if (value instanceof List<?> list) {
            generator.writeStartArray();
            for (Object element : list) {
                write(element, generator);
            }
            generator.writeEndArray();
        } else if (value instanceof Boolean truth) {
            generator.writeBoolean(truth);
        } else {
            generator.writeString(value.toString());
        }
    }

    /** A value as text; empty if there is none. */
    public String text(String name) {
        return values.get(name) instanceof String text ? text : "";
    }

    /**
     * A whole number; 0 if there is none.
     *
     * @throws NumberFormatException if it is something else
     */
    public long number(String name) {
        return values.get(name) instanceof String digits ? Long.parseLong(digits) : 0;
    }

    /** A truth value; false if there is none. */
    public boolean isTrue(String name) {
        return Boolean.TRUE.equals(values.get(name));
    }

    /** An object within; an empty one if there is none. */
    public Json object(String name) {
        return values.get(name) instanceof Json object ? object : new Json(Map.of());
    }

    /** The objects of a list; none if there is no such list. */
    public List<Json> objects(String name) {
        return values.get(name) instanceof List<?> list
                ? list.stream()
                        .filter(Json.class::isInstance)
                        .map(Json.class::cast)
                        .toList()
                : List.of();
    }
}
