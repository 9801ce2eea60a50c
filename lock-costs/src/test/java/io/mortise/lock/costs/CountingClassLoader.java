// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.costs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Loads our classes and those of the client libraries anew, so that they count the instructions that they execute. It counts neither
 * the JDK nor the drivers of databases, which the JDK finds by the class loader that was first.
 */
final class CountingClassLoader extends ClassLoader {
    private static final List<String> NOT_COUNTED = List.of(
            CountedInstructions.class.getName(),
            "org.h2.",
            "org.mariadb.",
            "org.postgresql.",
            "org.sqlite.",
            "org.slf4j.");

    private final ClassLoader classPath;

    CountingClassLoader(ClassLoader classPath) {
        super(classPath);
        this.classPath = classPath;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (NOT_COUNTED.stream().anyMatch(name::startsWith)) {
            return super.loadClass(name, resolve);
        }
        try {
            return getPlatformClassLoader().loadClass(name);
        } catch (ClassNotFoundException notOfTheJdk) {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? counting(name) : loaded;
            }
        }
    }

    private Class<?> counting(String name) throws ClassNotFoundException {
        try (InputStream file = classPath.getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (file == null) {
                throw new ClassNotFoundException(name);
            }
            ClassReader reader = new ClassReader(file);
            ClassWriter counting = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
            reader.accept(new CountingClass(counting), 0);
            byte[] bytes = counting.toByteArray();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static final class CountingClass extends ClassVisitor {
        CountingClass(ClassVisitor counting) {
            super(Opcodes.ASM9, counting);
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            return new CountingMethod(super.visitMethod(access, name, descriptor, signature, exceptions));
        }
    }

    /** Tells the instructions that come one after the other, before the last of them, or before another may come from elsewhere. */
    private static final class CountingMethod extends MethodVisitor {
        private static final String COUNTER = Type.getInternalName(CountedInstructions.class);

        private int count;

        CountingMethod(MethodVisitor counting) {
            super(Opcodes.ASM9, counting);
        }

        private void tell() {
            if (count > 0) {
                super.visitLdcInsn(count);
                super.visitMethodInsn(Opcodes.INVOKESTATIC, COUNTER, "add", "(I)V", false);
                count = 0;
            }
        }

        @Override
        public void visitLabel(Label label) {
            tell();
            super.visitLabel(label);
        }

        @Override
        public void visitInsn(int opcode) {
            count++;
            if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN || opcode == Opcodes.ATHROW) {
                tell();
            }
            super.visitInsn(opcode);
        }

        @Override
        public void visitJumpInsn(int opcode, Label label) {
            count++;
            tell();
            super.visitJumpInsn(opcode, label);
        }

        @Override
        public void visitTableSwitchInsn(int min, int max, Label other, Label... labels) {
            count++;
            tell();
            super.visitTableSwitchInsn(min, max, other, labels);
        }

        @Override
        public void visitLookupSwitchInsn(Label other, int[] keys, Label[] labels) {
            count++;
            tell();
            super.visitLookupSwitchInsn(other, keys, labels);
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            count++;
            super.visitIntInsn(opcode, operand);
        }

        @Override
        public void visitVarInsn(int opcode, int variable) {
            count++;
            super.visitVarInsn(opcode, variable);
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            count++;
            super.visitTypeInsn(opcode, type);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            count++;
            super.visitFieldInsn(opcode, owner, name, descriptor);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            count++;
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            count++;
            super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
        }

        @Override
        public void visitLdcInsn(Object value) {
            count++;
            super.visitLdcInsn(value);
        }

        @Override
        public void visitIincInsn(int variable, int increment) {
            count++;
            super.visitIincInsn(variable, increment);
        }

        @Override
        public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
            count++;
            super.visitMultiANewArrayInsn(descriptor, dimensions);
        }
    }
}
