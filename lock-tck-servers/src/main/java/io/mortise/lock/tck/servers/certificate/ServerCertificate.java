// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.certificate;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

/** The certificate of a server, its key, and the authority that issued it. Thread-safe. */
public final class ServerCertificate {
    private final X509Certificate certificate;
    private final PrivateKey key;
    private final CertificateAuthority authority;

    ServerCertificate(X509Certificate certificate, PrivateKey key, CertificateAuthority authority) {
        this.certificate = certificate;
        this.key = key;
        this.authority = authority;
    }

    /**
     * The authority that issued it.
     *
     * @return the same for all that it issued
     */
    public CertificateAuthority authority() {
        return authority;
    }

    /**
     * The certificate.
     *
     * @return as a file with PEM has it
     */
    public String pem() {
        try {
            return pem("CERTIFICATE", certificate.getEncoded());
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * The private key.
     *
     * @return as a file with PEM has it, not encrypted
     */
    public String keyPem() {
        return pem("PRIVATE KEY", key.getEncoded());
    }

    /**
     * Writes a key store with the certificate and its key, for servers that are JVMs.
     *
     * @param file a PKCS #12 file to write; its password is {@link CertificateAuthority#PASSWORD}
     * @return the file
     */
    public Path writeKeyStore(Path file) {
        char[] password = CertificateAuthority.PASSWORD.toCharArray();
        try (OutputStream out = Files.newOutputStream(file)) {
            KeyStore store = CertificateAuthority.emptyStore();
            store.setKeyEntry("server", key, password, new Certificate[] {certificate, authority.certificate()});
            store.store(out, password);
            return file;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * Speaks TLS on a connection to a server that has it. Trusts its authority, for any host name, even after the certificate's end.
     *
     * @param connection a new connection
     * @return one over TLS, which closes the other
     * @throws IOException if the server does not speak TLS, or has a certificate of another authority
     */
    public SSLSocket secure(Socket connection) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new IssuerTrust(authority.certificate())}, null);
            SSLSocket secured = (SSLSocket) context.getSocketFactory()
                    .createSocket(connection, connection.getInetAddress().getHostAddress(), connection.getPort(), true);
            secured.startHandshake();
            return secured;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static String pem(String type, byte[] encoded) {
        String lines = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(encoded);
        return "-----BEGIN " + type + "-----\n" + lines + "\n-----END " + type + "-----\n";
    }
}
