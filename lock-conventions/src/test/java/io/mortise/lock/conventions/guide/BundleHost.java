// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions.guide;

import java.io.File;
import java.nio.file.Path;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Function;
import org.osgi.framework.Bundle;
import org.osgi.framework.Constants;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.launch.FrameworkFactory;

/** Starts OSGi in a JVM whose class path has neither the application nor the bundles, and lets an application that is a bundle lock in stores. */
public final class BundleHost {
    private BundleHost() {}

    /**
     * Prints a token for each store.
     *
     * @param arguments the directory for OSGi's files, the jars of all bundles, the last of which is the application; and the stores
     */
    public static void main(String[] arguments) throws Exception {
        Framework framework = ServiceLoader.load(FrameworkFactory.class)
                .findFirst()
                .orElseThrow()
                .newFramework(Map.of(
                        Constants.FRAMEWORK_STORAGE,
                        arguments[0],
                        // The version that jedis asks for; all its classes are in the newer one on the class path.
                        Constants.FRAMEWORK_SYSTEMPACKAGES_EXTRA,
                        "org.slf4j;version=1.7.36"));
        framework.init();
        try {
            lock(framework, arguments);
        } finally {
            framework.stop();
            framework.waitForStop(0);
        }
    }

    @SuppressWarnings("unchecked")
    private static void lock(Framework framework, String... arguments) throws Exception {
        Bundle application = framework;
        for (String jar : arguments[1].split(File.pathSeparator)) {
            application = framework
                    .getBundleContext()
                    .installBundle(Path.of(jar).toUri().toString());
        }
        framework.start();
        for (Bundle bundle : framework.getBundleContext().getBundles()) {
            if (bundle.getHeaders().get(Constants.FRAGMENT_HOST) == null) {
                bundle.start();
            }
        }
        Function<String, Long> shop = (Function<String, Long>) application
                .loadClass("io.mortise.lock.conventions.guide.BundledShop")
                .getConstructor()
                .newInstance();
        for (int store = 2; store < arguments.length; store++) {
            System.out.println(shop.apply(arguments[store]));
        }
    }
}
