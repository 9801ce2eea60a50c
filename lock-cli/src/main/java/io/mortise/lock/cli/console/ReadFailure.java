// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.console;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Why a file could not be read, in words for its user. */
public final class ReadFailure {
    private ReadFailure() {}

    /** The messages of some of these exceptions name the file at most. */
    public static String reason(IOException failure) {
        if (failure instanceof CharacterCodingException) {
            return "it is not text in UTF-8";
        }
        if (failure instanceof NoSuchFileException) {
            return "there is no such file";
        }
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        String reason = failure instanceof FileSystemException told ? told.getReason() : failure.getMessage();
        return String.valueOf(reason);
    }
}
