// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.certificate;

import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.X509TrustManager;

/** Trusts what an authority has signed, and looks at nothing else: a test knows its own servers. */
record IssuerTrust(X509Certificate authority) implements X509TrustManager {
    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        try {
            chain[0].verify(authority.getPublicKey());
        } catch (GeneralSecurityException foreign) {
            throw new CertificateException(foreign);
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        throw new CertificateException("for clients only");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[] {authority};
    }
}
