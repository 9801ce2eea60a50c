// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.certificate;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes the few elements of ASN.1 that a certificate consists of, in their distinguished encoding. */
final class Der {
    static final int INTEGER = 0x02;
    static final int UTC_TIME = 0x17;
    static final int SEQUENCE = 0x30;

    private static final int BOOLEAN = 0x01;
    private static final int BIT_STRING = 0x03;
    private static final int OCTET_STRING = 0x04;
    private static final int UTF8_STRING = 0x0c;
    private static final int SET = 0x31;
    private static final int LONG_FORM = 0x80;

    /** 2.5.4.3, 2.5.29.17, 2.5.29.19. */
    private static final byte[] COMMON_NAME = {0x06, 3, 0x55, 4, 3};

    private static final byte[] OTHER_NAMES = {0x06, 3, 0x55, 0x1d, 17};
    private static final byte[] CONSTRAINTS = {0x06, 3, 0x55, 0x1d, 19};

    private Der() {}

    static byte[] element(int tag, byte[]... contents) {
        ByteArrayOutputStream inner = new ByteArrayOutputStream();
        for (byte[] content : contents) {
            inner.writeBytes(content);
        }
        ByteArrayOutputStream element = new ByteArrayOutputStream();
        element.write(tag);
        int length = inner.size();
        if (length > 0xff) {
            element.write(LONG_FORM | 2);
            element.write(length >> Byte.SIZE);
        } else if (length >= LONG_FORM) {
            element.write(LONG_FORM | 1);
        }
        element.write(length);
        element.writeBytes(inner.toByteArray());
        return element.toByteArray();
    }

    static byte[] bits(byte[] whole) {
        return element(BIT_STRING, new byte[] {0}, whole);
    }

    static byte[] ascii(int tag, String text) {
        return element(tag, text.getBytes(StandardCharsets.US_ASCII));
    }

    static byte[] commonName(String name) {
        return element(SEQUENCE, element(SET, element(SEQUENCE, COMMON_NAME, ascii(UTF8_STRING, name))));
    }

    static byte[] otherNames(byte[]... names) {
        return element(SEQUENCE, OTHER_NAMES, element(OCTET_STRING, element(SEQUENCE, names)));
    }

    /** Says that the certificate is one of an authority. */
    static byte[] authority() {
        byte[] yes = element(BOOLEAN, new byte[] {(byte) 0xff});
        return element(SEQUENCE, CONSTRAINTS, yes, element(OCTET_STRING, element(SEQUENCE, yes)));
    }
}
