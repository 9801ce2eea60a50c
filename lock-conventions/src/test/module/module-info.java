// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** An application on the module path: it names the API alone. */
module smoke {
    requires io.mortise.lock;
}
