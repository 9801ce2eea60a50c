// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spring;

import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.common.LiteralExpression;
import org.springframework.expression.common.TemplateParserContext;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** The name of a method's lock, in which expressions stand for what it is called with. Immutable, thread-safe. */
final class LockName {
    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();
    private static final TemplateParserContext TEMPLATE = new TemplateParserContext("#{", "}");
    private static final SpelExpressionParser PARSER = new SpelExpressionParser();

    private final String text;
    private final Method method;
    private final List<Expression> parts;

    private LockName(String text, Method method, List<Expression> parts) {
        this.text = text;
        this.method = method;
        this.parts = parts;
    }

    /**
     * Reads a name.
     *
     * @throws IllegalArgumentException if it is empty or no template, or if it uses a variable that the method does not have
     */
    static LockName of(String text, Method method) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("the name of the lock is empty");
        }
        Expression parsed;
        try {
            parsed = PARSER.parseExpression(text, TEMPLATE);
        } catch (ParseException wrong) {
            throw new IllegalArgumentException(
                    "the name of the lock, '" + text + "', cannot be read: " + wrong.getMessage(), wrong);
        }
        List<Expression> parts = parsed instanceof CompositeStringExpression composite
                ? List.of(composite.getExpressions())
                : List.of(parsed);
        Set<String> known = variables(method);
        for (Expression part : parts) {
            if (part instanceof SpelExpression expression) {
                checkVariables(expression.getAST(), known, text);
            }
        }
        return new LockName(text, method, parts);
    }

    private static Set<String> variables(Method method) {
        Set<String> known = new HashSet<>(Set.of("root", "this"));
        String[] names = NAMES.getParameterNames(method);
        for (int i = 0; i < method.getParameterCount(); i++) {
            known.add("p" + i);
            known.add("a" + i);
            if (names != null) {
                known.add(names[i]);
            }
        }
        return known;
    }

    private static void checkVariables(SpelNode node, Set<String> known, String text) {
        if (node instanceof VariableReference
                && !known.contains(node.toStringAST().substring(1))) {
            throw new IllegalArgumentException(
                    "the name of the lock, '" + text + "', uses " + node.toStringAST()
                            + ", which is no parameter of the method; if it is, compile with the option -parameters, or write #p0 for the first one");
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            checkVariables(node.getChild(i), known, text);
        }
    }

    /**
     * {@return the name of the lock of one call}
     *
     * @throws IllegalArgumentException if a part of it is null
     */
    String of(Object bean, @Nullable Object[] arguments) {
        if (parts.size() == 1 && parts.get(0) instanceof LiteralExpression literal) {
            return literal.getExpressionString();
        }
        MethodBasedEvaluationContext context = new MethodBasedEvaluationContext(bean, method, arguments, NAMES);
        StringBuilder name = new StringBuilder();
        for (Expression part : parts) {
            Object value = part.getValue(context);
            if (value == null) {
                throw new IllegalArgumentException("the lock has no name: #{" + part.getExpressionString() + "} in '"
                        + text + "' is null in a call of " + method.getName());
            }
            name.append(value);
        }
        return name.toString();
    }
}
