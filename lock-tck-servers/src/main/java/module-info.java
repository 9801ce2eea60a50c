// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Real servers, proxies and processes for the tests of backends. */
module io.mortise.lock.tck.servers {
    requires static org.jspecify;
}
