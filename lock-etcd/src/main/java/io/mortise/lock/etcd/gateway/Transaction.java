// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd.gateway;

import static io.mortise.lock.etcd.gateway.KeyValue.encoded;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One atomic step of etcd: operations if all conditions hold, and others if one does not. Later operations see what earlier
 * ones have written. Not thread-safe.
 */
public final class Transaction {
    /** The text that ends the range of all keys from another text on that begin with it: the last character counts one up. */
    public static String endOf(String prefix) {
        int last = prefix.length() - 1;
        return prefix.substring(0, last) + (char) (prefix.charAt(last) + 1);
    }

    /** One operation. */
    public record Operation(String kind, Map<String, ?> parameters) {
        /** Writes a key, which ends with a lease; 0 for none. */
        public static Operation put(String key, String value, long lease) {
            return new Operation(
                    "put", Map.of("key", encoded(key), "value", encoded(value), "lease", String.valueOf(lease)));
        }

        /** Reads a key. */
        public static Operation get(String key) {
            return new Operation("range", Map.of("key", encoded(key)));
        }

        /** Reads the keys that begin with a text, in the order in which they were made. */
        public static Operation oldest(String prefix, int limit) {
            return range(prefix, endOf(prefix), "CREATE", "ASCEND", limit, Long.MAX_VALUE);
        }

        /** Reads the keys that begin with a text and were made up to a revision, the last one first. */
        public static Operation newestUpTo(String prefix, long created, int limit) {
            return range(prefix, endOf(prefix), "CREATE", "DESCEND", limit, created);
        }

        /** Reads the keys from one to before another, in their order. */
        public static Operation inOrder(String from, String end, int limit) {
            return range(from, end, "KEY", "ASCEND", limit, Long.MAX_VALUE);
        }

        private static Operation range(
                String from, String end, String sortedBy, String order, int limit, long createdUpTo) {
            return new Operation(
                    "range",
                    Map.of(
                            "key", encoded(from),
                            "range_end", encoded(end),
                            "sort_target", sortedBy,
                            "sort_order", order,
                            "limit", String.valueOf(limit),
                            "max_create_revision", String.valueOf(createdUpTo)));
        }

        /** Deletes a key, and tells what it was. */
        public static Operation delete(String key) {
            return new Operation("delete_range", Map.of("key", encoded(key), "prev_kv", true));
        }

        private Map<String, ?> json() {
            return Map.of("request_" + kind, parameters);
        }
    }

    /**
     * What an operation answered.
     *
     * @param found the keys that were read, or what the key was that was deleted
     * @param count of how many keys {@code found} is the beginning
     */
    public record Reply(List<KeyValue> found, long count) {
        private static Reply of(Json response) {
            Json read = response.object("response_range");
            List<Json> found = new ArrayList<>(read.objects("kvs"));
            found.addAll(response.object("response_delete_range").objects("prev_kvs"));
            return new Reply(found.stream().map(KeyValue::of).toList(), read.number("count"));
        }
    }

    /**
     * How a transaction ended.
     *
     * @param succeeded whether all conditions held
     * @param revision the revision of the store then: that of the changes, if there were any
     * @param replies those to the operations that were done, in their order
     * @param serverSeconds the time of the member that answered, in seconds since 1970
     * @param term the term of the consensus, that of its leader or a later one
     */
    public record Outcome(boolean succeeded, long revision, List<Reply> replies, long serverSeconds, long term) {
        static Outcome of(Answer answer) {
            return new Outcome(
                    answer.body().isTrue("succeeded"),
                    answer.revision(),
                    answer.body().objects("responses").stream().map(Reply::of).toList(),
                    answer.serverSeconds(),
                    answer.term());
        }
    }

    private final List<Map<String, ?>> conditions = new ArrayList<>();
    private final List<Map<String, ?>> then = new ArrayList<>();
    private final List<Map<String, ?>> otherwise = new ArrayList<>();

    /** If no key begins with a text. */
    public Transaction ifNone(String prefix) {
        conditions.add(Map.of(
                "key", encoded(prefix),
                "range_end", encoded(endOf(prefix)),
                "target", "CREATE",
                "result", "EQUAL",
                "create_revision", "0"));
        return this;
    }

    /** If all keys that begin with a text were made in a revision or later. */
    public Transaction ifNoneBefore(String prefix, long created) {
        conditions.add(Map.of(
                "key", encoded(prefix),
                "range_end", encoded(endOf(prefix)),
                "target", "CREATE",
                "result", "GREATER",
                "create_revision", String.valueOf(created - 1)));
        return this;
    }

    /** If a key has a value. */
    public Transaction ifValue(String key, String value) {
        conditions.add(Map.of("key", encoded(key), "target", "VALUE", "result", "EQUAL", "value", encoded(value)));
        return this;
    }

    /** If a key was last written in a revision; 0 if it must not be there. */
    public Transaction ifModifiedIn(String key, long revision) {
        conditions.add(Map.of(
                "key", encoded(key), "target", "MOD", "result", "EQUAL", "mod_revision", String.valueOf(revision)));
        return this;
    }

    public Transaction then(Operation... operations) {
        return then(List.of(operations));
    }

    public Transaction then(List<Operation> operations) {
        operations.forEach(operation -> then.add(operation.json()));
        return this;
    }

    /** Does another transaction instead, before the other operations, if a condition does not hold. */
    public Transaction otherwiseFirst(Transaction nested) {
        otherwise.add(0, Map.of("request_txn", nested.json()));
        return this;
    }

    public Transaction otherwise(Operation... operations) {
        return otherwise(List.of(operations));
    }

    public Transaction otherwise(List<Operation> operations) {
        operations.forEach(operation -> otherwise.add(operation.json()));
        return this;
    }

    Map<String, ?> json() {
        return Map.of("compare", conditions, "success", then, "failure", otherwise);
    }
}
