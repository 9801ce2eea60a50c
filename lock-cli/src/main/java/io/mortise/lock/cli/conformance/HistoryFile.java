// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.conformance;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.cli.console.ReadFailure;
import io.mortise.lock.tck.history.RecordedHistory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** A file of JSON lines, or standard input, each line of which is an event of a history. */
final class HistoryFile {
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final String name;

    /** The file of a name; {@code -} is standard input. */
    HistoryFile(String name) {
        this.name = name;
    }

    /**
     * Reads it all.
     *
     * @throws LockConfigurationException if it cannot be read, or a line is no event, with the number of the line
     */
    RecordedHistory read() {
        RecordedHistory history = new RecordedHistory();
        int number = 0;
        // A decoder of its own complains about what is no UTF-8.
        try (InputStream in = open();
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder()))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (!line.isBlank()) {
                    history.add(number, members(line));
                }
            }
        } catch (JsonProcessingException noJson) {
            throw wrong(number, noJson.getOriginalMessage(), noJson);
        } catch (IllegalArgumentException noEvent) {
            throw wrong(number, String.valueOf(noEvent.getMessage()), noEvent);
        } catch (CharacterCodingException noText) {
            throw new LockConfigurationException(this + " is no text in UTF-8", noText);
        } catch (IOException unread) {
            throw new LockConfigurationException(this + " cannot be read: " + ReadFailure.reason(unread), unread);
        }
        return history;
    }

    private InputStream open() throws IOException {
        return name.equals("-") ? System.in : Files.newInputStream(path());
    }

    private Path path() {
        try {
            return Path.of(name);
        } catch (InvalidPathException impossible) {
            throw new LockConfigurationException(this + " is no name of a file", impossible);
        }
    }

    private LockConfigurationException wrong(int line, String why, Exception cause) {
        return new LockConfigurationException(this + ", line " + line + ": " + why, cause);
    }

    private static Map<String, Object> members(String line) throws IOException {
        Map<String, Object> members = new HashMap<>();
        try (JsonParser json = JSON.createParser(line)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("each line must be a JSON object");
            }
            for (String member = json.nextFieldName(); member != null; member = json.nextFieldName()) {
                members.put(member, value(member, json));
            }
            if (json.nextToken() != null) {
                throw new IllegalArgumentException("a line must hold one JSON object only");
            }
        }
        return members;
    }

    private static Object value(String member, JsonParser json) throws IOException {
        JsonToken token = json.nextToken();
        if (token == JsonToken.VALUE_STRING) {
            return json.getText();
        } else if (token == JsonToken.VALUE_NUMBER_INT) {
            return json.getLongValue();
        } else if (token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE) {
            return json.getBooleanValue();
        }
        throw new IllegalArgumentException("\"" + member + "\" must be a text, a whole number, true or false");
    }

    @Override
    public String toString() {
        return name.equals("-") ? "standard input" : name;
    }
}
