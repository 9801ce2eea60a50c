// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.core;

import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Cases about many names that a store may take for one another, all held at once. */
public interface ManyNamesCases {
    @Rule(
            says = "Each character of a name counts, wherever it stands: control characters, blanks and signs, too.",
            because = "A store that drops, trims or replaces one makes strangers exclude each other.")
    default void b1_eachCharacterCounts(Scene scene) throws InterruptedException {
        List<String> names = new ArrayList<>();
        boolean all = scene.times(500, 128) == 500;
        for (char character = 0; character < 128; character++) {
            // Case and the control characters differ by multiples of four: each is compared with its likes.
            List<String> places = List.of(
                    scene.lock("x" + character),
                    character + scene.lock("x"),
                    scene.lock("x" + character + "y"),
                    String.valueOf(character));
            names.addAll(all ? places : List.of(places.get(character % 4)));
        }
        names.add(scene.lock("x"));
        names.add(scene.lock("x\u00c0\u0080y"));
        for (char character = 'A'; character < 'F'; character++) {
            names.add(scene.lock("x" + (char) (character + 0x100) + "y"));
            names.add(scene.lock("x" + (char) (character + 0xff00) + "y"));
        }
        HeldNames.allDifferent(scene, names);
    }

    @Rule(
            says = "Names are different also if their hashes are equal.",
            because =
                    "There are four thousand million hashes of 32 bits, and more names than that meet sooner than one thinks.")
    default void b1_equalHashesAreDifferentNames(Scene scene) throws InterruptedException {
        List<String> names = new ArrayList<>(EqualHashes.ofStrings(scene.lock("equal-"), scene.times(256, 16)));
        String longStem = scene.lock("x".repeat(300));
        names.addAll(EqualHashes.ofStrings(longStem, 8));
        names.addAll(EqualHashes.pairs(scene.lock("equal-"), EqualHashes.all()));
        names.addAll(EqualHashes.pairs(longStem, EqualHashes.CHECKSUMS));
        HeldNames.allDifferent(scene, names);
    }

    @Rule(
            says = "Names that are encodings, normal forms or spellings of each other are different.",
            because =
                    "A store that escapes some characters must escape its escapes, or \"a/b\" and \"a%2Fb\" are one lock.")
    default void b2_encodingsOfEachOtherAreDifferent(Scene scene) throws InterruptedException {
        Set<String> names = new LinkedHashSet<>();
        for (String name : List.of("a/b", "a:b", "a%b", "a_b", "a\nb", "a\\b", "\u00e4 \ufb01", "I\u00df.\u0130")) {
            names.addAll(spellings(name).stream().map(scene::lock).toList());
        }
        for (String path : List.of("b", "a/b", "a//b", "a/./b", "a/../b", "./b", "/b", "a/x/../b", "a\\b", "b/.")) {
            names.add(scene.lock(path));
            names.add(path + scene.lock());
        }
        for (String pattern :
                List.of("a*", "a?", "a%", "a_", "a.", "a[b]", "a{b}", "a{b,c}", "ab", "ac", "a.*", "^ab$")) {
            names.add(scene.lock(pattern));
        }
        String number = "7" + Integer.toUnsignedString(scene.lock().hashCode());
        for (String format : List.of("%s", "0%s", "+%s", "-%s", "%s.0", "%s.", "%se0", "0x%s", " %s", "%s ", "'%s'")) {
            names.add(String.format(Locale.ROOT, format, number));
        }
        List<String> held = new ArrayList<>(names);
        int most = scene.times(held.size(), 80);
        // Neighbours are each other's spellings, so that whole stretches are left out.
        HeldNames.allDifferent(scene, most == held.size() ? held : held.subList(held.size() - most, held.size()));
    }

    @Rule(
            says =
                    "Long names that differ in one character are different, wherever it stands and however long they are.",
            because = "A key has 250 bytes here and 255 characters there; what is cut off or hashed makes names equal.")
    default void b4_longNamesDifferAnywhere(Scene scene) throws InterruptedException {
        List<String> names = new ArrayList<>();
        for (int length : new int[] {63, 64, 65, 127, 128, 129, 250, 251, 255, 256, 257, 1_000, 1_024, 4_096, 10_000}) {
            String name = filled(scene, "x", length);
            names.add(name);
            for (int place : new int[] {0, length / 4 + 14, length / 2, length * 3 / 4, length - 2, length - 1}) {
                names.add(name.substring(0, place) + "y" + name.substring(place + 1));
            }
        }
        for (String wide : List.of("\u00e9", "\u20ac", "\ud83d\udd12")) {
            for (int length : new int[] {64, 128, 255, 1_000}) {
                String name = filled(scene, wide, length);
                names.add(name + "a");
                names.add(name + "b");
                names.add("b" + name);
            }
        }
        HeldNames.allDifferent(scene, names);
    }

    private static String filled(Scene scene, String with, int length) {
        String name = scene.lock("");
        return name + with.repeat((length - name.length()) / with.length());
    }

    /** How the name is written elsewhere. */
    private static Set<String> spellings(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        String url = URLEncoder.encode(name, StandardCharsets.UTF_8);
        Set<String> spellings = new LinkedHashSet<>(List.of(
                name,
                url,
                url.toLowerCase(Locale.ROOT),
                url.replace("+", "%20"),
                url.replace('%', '_'),
                url.replace('%', '\\'),
                URLEncoder.encode(url, StandardCharsets.UTF_8),
                Base64.getEncoder().encodeToString(bytes),
                Base64.getUrlEncoder().withoutPadding().encodeToString(bytes),
                HexFormat.of().formatHex(bytes),
                HexFormat.of().withUpperCase().formatHex(bytes),
                new String(bytes, StandardCharsets.ISO_8859_1),
                new String(bytes, StandardCharsets.US_ASCII),
                name.replace("\n", "\\n").replace("\\", "\\\\"),
                name.replace("\n", "\\n"),
                name.replace("\n", "\r\n"),
                "\"" + name + "\"",
                name.toUpperCase(Locale.ROOT)));
        spellings.add(name.toLowerCase(Locale.ROOT));
        for (String sign : List.of("_", ":", "::", "/", ".", "-", "|", "\\", "\\\\", "")) {
            spellings.add(name.replaceAll("[/:%_\n\\\\]", sign.replace("\\", "\\\\")));
        }
        for (Normalizer.Form form : Normalizer.Form.values()) {
            spellings.add(Normalizer.normalize(name, form));
        }
        for (String language : List.of("tr", "de", "el")) {
            spellings.add(name.toUpperCase(Locale.forLanguageTag(language)));
            spellings.add(name.toLowerCase(Locale.forLanguageTag(language)));
        }
        return spellings;
    }
}
