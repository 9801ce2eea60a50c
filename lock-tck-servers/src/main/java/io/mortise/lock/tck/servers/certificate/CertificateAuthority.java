// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.certificate;

import static io.mortise.lock.tck.servers.certificate.Der.INTEGER;
import static io.mortise.lock.tck.servers.certificate.Der.SEQUENCE;
import static io.mortise.lock.tck.servers.certificate.Der.UTC_TIME;
import static io.mortise.lock.tck.servers.certificate.Der.ascii;
import static io.mortise.lock.tck.servers.certificate.Der.bits;
import static io.mortise.lock.tck.servers.certificate.Der.commonName;
import static io.mortise.lock.tck.servers.certificate.Der.element;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An authority that a test makes, with a key of its own: clients trust its certificates if their trust store has its own one. Thread-safe. */
public final class CertificateAuthority {
    /** The password of every key store and trust store here. */
    public static final String PASSWORD = "changeit";

    private static final String BEGIN = "200101000000Z";
    private static final String END = "491231235959Z";
    private static final String EXPIRED = "210101000000Z";

    /** Explicit, version 3; and the signature algorithm 1.2.840.10045.4.3.2, ECDSA with SHA-256. */
    private static final byte[] VERSION = {(byte) 0xa0, 3, 2, 1, 2};

    private static final byte[] ALGORITHM = {SEQUENCE, 10, 6, 8, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 4, 3, 2};
    private static final int EXTENSIONS = 0xa3;
    private static final int DNS_NAME = 0x82;
    private static final int IP_ADDRESS = 0x87;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final String name;
    private final KeyPair keys = newKeys();
    private final X509Certificate certificate;

    /**
     * Makes one.
     *
     * @param name its common name
     */
    public CertificateAuthority(String name) {
        this.name = name;
        certificate = sign(name, keys, END, Der.authority());
    }

    /**
     * Issues a certificate for a server, valid until 2049.
     *
     * @param names the host names and IP addresses that it is for, at least one
     * @return the certificate and its key
     */
    public ServerCertificate issue(String... names) {
        return issue(END, names);
    }

    /**
     * Issues a certificate for a server that has expired.
     *
     * @param names as in {@link #issue}
     * @return the certificate and its key
     */
    public ServerCertificate issueExpired(String... names) {
        return issue(EXPIRED, names);
    }

    private ServerCertificate issue(String end, String... names) {
        KeyPair own = newKeys();
        byte[][] others =
                Arrays.stream(names).map(CertificateAuthority::otherName).toArray(byte[][]::new);
        return new ServerCertificate(sign(names[0], own, end, Der.otherNames(others)), own.getPrivate(), this);
    }

    /**
     * Its own certificate.
     *
     * @return as a file with PEM has it
     */
    public String pem() {
        return ServerCertificate.pem("CERTIFICATE", encoded());
    }

    /**
     * Writes a trust store with its certificate alone.
     *
     * @param file a PKCS #12 file to write; its password is {@link #PASSWORD}
     * @return the file
     */
    public Path writeTrustStore(Path file) {
        try (OutputStream out = Files.newOutputStream(file)) {
            trustStore().store(out, PASSWORD.toCharArray());
            return file;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    X509Certificate certificate() {
        return certificate;
    }

    KeyStore trustStore() throws GeneralSecurityException, IOException {
        KeyStore store = emptyStore();
        store.setCertificateEntry("authority", certificate);
        return store;
    }

    static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private byte[] encoded() {
        try {
            return certificate.getEncoded();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private X509Certificate sign(String subject, KeyPair own, String end, byte[] extension) {
        byte[] serial = new BigInteger(Long.SIZE, RANDOM).add(BigInteger.ONE).toByteArray();
        byte[] text = element(
                SEQUENCE,
                VERSION,
                element(INTEGER, serial),
                ALGORITHM,
                commonName(name),
                element(SEQUENCE, ascii(UTC_TIME, BEGIN), ascii(UTC_TIME, end)),
                commonName(subject),
                own.getPublic().getEncoded(),
                element(EXTENSIONS, element(SEQUENCE, extension)));
        try {
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(keys.getPrivate());
            signature.update(text);
            byte[] whole = element(SEQUENCE, text, ALGORITHM, bits(signature.sign()));
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(whole));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static byte[] otherName(String name) {
        byte @Nullable [] address = Character.isDigit(name.charAt(0)) ? address(name) : null;
        return address == null ? ascii(DNS_NAME, name) : element(IP_ADDRESS, address);
    }

    private static byte[] address(String text) {
        try {
            return InetAddress.getByName(text).getAddress();
        } catch (UnknownHostException wrong) {
            throw new IllegalArgumentException(wrong);
        }
    }
}
