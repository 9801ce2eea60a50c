// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.core;

import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.refused;
import static io.mortise.lock.tck.scene.Expect.that;

import io.mortise.lock.LockHolder;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import java.util.ArrayList;
import java.util.List;

/** Cases about lock names: any string is a name, and different strings are different locks. */
public interface NameCases {
    /** What no sane person calls a lock. */
    List<String> AWKWARD = List.of(
            "x",
            "",
            " ",
            "  ",
            "/",
            "//",
            ".",
            "..",
            "a:b",
            "{a}",
            "x{a}",
            "{a}x",
            "{b}x",
            "{}",
            "%",
            "%s",
            "%20",
            "*",
            "?",
            "_",
            "\\",
            "'",
            "\"",
            "`",
            "$(ls)",
            "a b",
            "a\tb",
            "a\nb",
            "a\r\nset k 0 0 1\r\n1",
            "\0",
            "a\0b",
            "';DROP TABLE x;--",
            "') OR 1=1 --",
            "]]return 1--[[",
            "\u00e9",
            "\ud83d\udd12",
            "\u202eabc",
            "\ud800",
            "\udc00",
            "\ufffd",
            "\uffff",
            "#",
            "a".repeat(1500));

    @Rule(
            says = "Any string can be locked, and no two different strings are the same lock.",
            because = "Names are made from data: file names, keys, mail addresses, whatever users type.")
    default void b1_anyStringIsANameOfItsOwn(Scene scene) {
        allDifferent(scene, AWKWARD.stream().map(scene::lock).toList());
    }

    @Rule(
            says = "The empty string is a name.",
            because = "A missing tenant or prefix must not make a lock that silently does nothing.")
    default void b1_theEmptyStringIsAName(Scene scene) throws InterruptedException {
        RecordingClaim first = scene.lasting("A", "");
        scene.await("the empty name can be locked", first::tryAcquire);
        refused(scene.lasting("B", ""));
        that(first.release(), "the empty name must have been held");
    }

    @Rule(
            says = "Names that differ only in case, trailing blanks, accents or normalisation are different.",
            because = "A store that folds names makes strangers exclude each other, or finds no lock where one is.")
    default void b2_namesThatLookAlikeAreDifferent(Scene scene) {
        allDifferent(
                scene,
                List.of(
                                "name",
                                "Name",
                                "NAME",
                                "name ",
                                "name  ",
                                "name\t",
                                " name",
                                "n\u00e4me",
                                "na\u0308me",
                                "n\u00c4me",
                                "stra\u00dfe",
                                "strasse",
                                "STRASSE",
                                "i",
                                "I",
                                "\u0130",
                                "\u0131",
                                "\uff4eame",
                                "na\u200bme",
                                "na\u2060me",
                                "na\u00adme",
                                "name\ufe0f",
                                "K",
                                "k",
                                "\u212a",
                                "A",
                                "\ud800\udc41",
                                "\u00c5",
                                "\u212b",
                                "fi",
                                "\ufb01",
                                "\u304b",
                                "\u30ab",
                                "\uff76",
                                "\u03c3",
                                "\u03c2",
                                "\u03a3")
                        .stream()
                        .map(scene::lock)
                        .toList());
    }

    @Rule(
            says = "A name and names that extend it like a path are independent.",
            because = "In a store of trees a held child must not look like a held parent.")
    default void b3_pathsAreIndependent(Scene scene) {
        allDifferent(scene, List.of(scene.lock("a"), scene.lock("a/b"), scene.lock("a/b/c"), scene.lock("a/")));
    }

    @Rule(
            says = "Very long names that differ in the last character only are different.",
            because = "A name that is cut makes strangers wait; one that is too long must not silently lock nothing.")
    default void b4_longNamesDifferInTheLastCharacter(Scene scene) {
        String stem = scene.lock("long-" + "x".repeat(10_000));
        allDifferent(scene, List.of(stem, stem + "a", stem + "b"));
    }

    @Rule(
            says = "Names and labels are data: nothing in them is executed, and both come back as they were given.",
            because = "A lock must not be the way in for SQL, scripts or protocol commands.")
    default void b5_namesAndLabelsComeBackAsGiven(Scene scene) {
        scene.inspectable("B");
        for (String awkward : AWKWARD) {
            String lock = scene.lock(awkward);
            RecordingClaim claim = granted(scene.claim(scene.backend("A"), scene.lastingRequest(lock, awkward)));
            LockHolder holder = scene.backend("B")
                    .inspect(lock, scene.callLimit())
                    .orElseThrow(() -> new AssertionError("inspect must find the holder of " + lock));
            that(holder.lock().equals(lock), "inspect must answer the name that was asked for");
            that(
                    holder.label().equals(awkward),
                    "the label \"" + awkward + "\" came back as \"" + holder.label() + "\"");
            claim.release();
        }
    }

    private static void allDifferent(Scene scene, List<String> names) {
        List<RecordingClaim> claims = new ArrayList<>();
        names.forEach(name -> claims.add(granted(scene.lasting("A", name))));
        names.forEach(name -> refused(scene.claim("B", name)));
        claims.forEach(claim -> that(claim.release(), claim + " must have held its own lock"));
    }
}
