# SPDX-FileCopyrightText: The Mortise authors
# SPDX-License-Identifier: Apache-2.0
#
# The second part of the guard's script: what Linux tells about processes.

sub min { return $_[0] < $_[1] ? $_[0] : $_[1] }

# Seconds since boot, in hundredths, suspension included.
sub uptime { return (split ' ', slurp('/proc/uptime'))[0] }

# State, parent, group, session, terminal and the terminal's foreground group of a process.
sub about { return slurp("/proc/$_[0]/stat") =~ /.*\) (\S) (\d+) (\d+) (\d+) (-?\d+) (-?\d+) /s }

# Every living descendant, as [pid, group, session].
sub descendants {
    my %children;
    opendir my $proc, '/proc' or return;
    for my $pid (grep { /^\d+$/ } readdir $proc) {
        my ($state, $parent, $group, $its_session) = about($pid) or next;
        push @{ $children{$parent} }, [$pid, $group, $its_session, $state];
    }
    my @found = @{ $children{$$} || [] };
    for (my $i = 0; $i < @found; $i++) { push @found, @{ $children{ $found[$i][0] } || [] } }
    return grep { $_->[3] !~ /[ZX]/ } @found;
}

# The number of the system call prctl, by perl's name of the machine.
sub prctl_number {
    return 157 if $_[0] =~ /^x86_64-linux(?!-gnux32)/;
    return 167 if $_[0] =~ /^(aarch64|riscv64|loongarch64)-/;
    return 172 if $_[0] =~ /^(i[3-6]86|arm\w*|s390x)-/;
    return 171 if $_[0] =~ /^(powerpc|ppc)(64|64le)?-/;
    return;
}

sub slurp {
    open my $file, '<:raw', $_[0] or return '';
    local $/;
    return <$file> // '';
}
