# SPDX-FileCopyrightText: The Mortise authors
# SPDX-License-Identifier: Apache-2.0
#
# The guard of `mortise run`: the parent of the command, outside the JVM that holds the lock. It ends the command before
# the lock's lease ends, whatever happens to the JVM: killed, stopped, or busy with a long garbage collection.
# Run as `perl -t SCRIPT SOCKET` (-t: the user's PERL5LIB and PERL5OPT do not reach us).
# On the socket it receives the lines
#   run LEASE-MS WARNING-MS TIMEOUT-MS [NAME=VALUE...] -- ARG...   start this once there is a deadline; tell it to end when
#                  WARNING-MS of the lease are left, or it has run for TIMEOUT-MS if that is not 0. Later words are hexadecimal
#   left N MS      the answer to "ask N": the lease still lasts MS milliseconds, read after the question came
#   signal NAME    pass this signal on to the command's process group
#   lost           the lock is lost: kill the command now
# and sends
#   ready          it will find every descendant of the command
#   ask N          how long does the lease last?
#   started PID
#   end WHY KIND CODE LEFT   its last words: the command and the LEFT processes that it left behind are gone. WHY is done,
#                  risk, deadline, lost or timeout; KIND is exit, signal, exec (CODE is the errno) or none (it was never started)
# A deadline counts from the guard's own clock when it asked, so an answer that was written before the JVM was frozen
# cannot extend it too far.
use strict;
use warnings;
no warnings 'taint';
use Config;
use POSIX qw(:errno_h :signal_h :sys_wait_h);
use Socket qw(AF_UNIX SOCK_STREAM pack_sockaddr_un);

my $family = getpgrp;    # of mortise and, later, the command: the terminal's keys reach these two, and do nothing to us
$0 = 'mortise-guard';

my ($ignored) = slurp('/proc/self/status') =~ /^SigIgn:.*(.{8})$/m;
my @deaf = qw(HUP INT QUIT TERM TSTP TTIN TTOU PIPE USR1 USR2 ALRM);
my @heard = grep { !(hex($ignored) >> (POSIX->can("SIG$_")->() - 1) & 1) } @deaf;
$SIG{$_} = 'IGNORE' for @deaf;
$SIG{CHLD} = sub { };    # only to wake select
my $no_signals = POSIX::SigSet->new;    # the JVM's children inherit a blocked QUIT
sigprocmask(SIG_SETMASK, $no_signals) or die "mortise-guard: signals stay blocked: $!\n";

# Descendants whose parent dies become our children, not init's: a double fork does not get away.
my ($set_death_signal, $set_subreaper, $get_subreaper) = (1, 36, 37);
my $prctl = prctl_number($Config{archname}) or die "mortise-guard: cannot guard commands on $Config{archname}\n";
my $subreaper = pack 'i', 0;
syscall $prctl, $set_subreaper, 1, 0, 0, 0;
syscall $prctl, $get_subreaper, $subreaper, 0, 0, 0;
die "mortise-guard: cannot become the reaper of its descendants\n" unless unpack('i', $subreaper) == 1;

socket my $jvm, AF_UNIX, SOCK_STREAM, 0 or die "mortise-guard: no socket: $!\n";
connect $jvm, pack_sockaddr_un($ARGV[0]) or exit 1;    # mortise has gone already
$jvm->blocking(0);

my (@command, %environment, $lease, $warning, $timeout);
my ($child, $status, $failed_exec, $time_over);        # its pid; how it ended; what a failed exec writes to; its time-out
my ($deadline, $asked_at, $asked, $next_ask) = (0, undef, 0, 0);
my ($why, $kill_at, $told_rest, $left) = ('done', undef, 0, 0);
my $session = (about('self'))[3];
my ($alone, $received, @early) = (0, '');              # is the JVM gone; half a line of its; signals before the start

report('ready');
while (1) {
    reap();
    my $now = uptime();
    exit 0 if $alone && !defined $child;
    if (@command) {
        end('none', 0) if $why ne 'done' && !defined $child;
        ask($now) unless defined $asked_at || $now < $next_ask;
        start() if !defined $child && $now < $deadline - grace();
        keep_deadline($now) if defined $child;
        keep_timeout($now) if $timeout && defined $child;
        sweep($now) if defined $status;
        kill_all($now) if defined $kill_at && $now >= $kill_at;
    }
    wait_for_news($now);
}

# ---- the deadline; all times are seconds since boot, suspension included ----

sub grace { return min(1, min($lease / 10, $warning / 2)) + 0.02 }    # 0.02: two ticks of our clock
sub period { my $part = min(1, $lease / 12); return $part < 0.05 ? 0.05 : $part }

sub ask {
    $asked_at = $_[0];
    report('ask ' . ++$asked);
}

sub answered {
    my ($number, $milliseconds) = @_;
    return unless $number == $asked && defined $asked_at;
    return force('lost') if $milliseconds <= 0;
    my $end = $asked_at + $milliseconds / 1000;
    my $late = uptime() - $asked_at > 2 * period();
    # A late answer is a lower bound only: it must not look like a lease that is running out.
    $deadline = $end unless $late && $end < $deadline;
    $next_ask = $late ? 0 : $asked_at + period();
    undef $asked_at;
}

sub keep_deadline {
    my ($now) = @_;
    if ($now >= $deadline - grace()) {
        force('deadline');
    } elsif ($now >= $deadline - $warning && $why eq 'done' && !$alone && !defined $status) {
        $why = 'risk';
        tell_to_end();
    }
}

sub keep_timeout {
    my ($now) = @_;
    return if $now < $time_over || $why ne 'done' || $alone || defined $status;
    $why = 'timeout';
    tell_to_end();
    kill_by($now + 10);
}

sub force {
    $why = $_[0] unless $why eq 'deadline' || $why eq 'lost';
    kill_by(uptime());
}

sub kill_by { $kill_at = $_[0] unless defined $kill_at && $kill_at < $_[0] }

# The JVM was killed, so nobody renews: a moment to clean up, then the end, and in any case before the deadline.
sub gone {
    $alone = 1;
    tell_to_end() if defined $child;
    kill_by(uptime() + 2);
}

# ---- the command ----

sub start {
    my $guard = $$;
    pipe $failed_exec, my $failure or return end('exec', $! + 0);
    # What comes before the child hears signals again must stay pending, not be ignored.
    sigprocmask(SIG_SETMASK, POSIX::SigSet->new(map { POSIX->can("SIG$_")->() } @deaf));
    my $pid = fork;
    return end('exec', $! + 0) unless defined $pid;
    if (!$pid) {
        syswrite $failure, pack 'i', become_the_command($guard);
        POSIX::_exit(127);
    }
    # Away from the terminal, which could stop us; a group of our own would not do: the kernel might hang up on our family.
    POSIX::setsid();
    sigprocmask(SIG_SETMASK, $no_signals);
    $child = $pid;
    $time_over = uptime() + $timeout;
    kill $_ => $child for @early;
    # Whoever reads what the command writes must see its end, even while we are still here.
    open STDIN, '<', '/dev/null';
    open $_, '>', '/dev/null' for *STDOUT, *STDERR;
    report("started $child");
}

sub become_the_command {
    my ($guard) = @_;
    syscall $prctl, $set_death_signal, SIGKILL, 0, 0, 0;    # never without its guard
    return ESRCH if getppid != $guard;
    $SIG{$_} = 'DEFAULT' for 'CHLD', @heard;
    sigprocmask(SIG_SETMASK, $no_signals);
    while (my ($name, $value) = each %environment) {
        if (defined $value) { $ENV{$name} = $value } else { delete $ENV{$name} }
    }
    no warnings 'exec';
    exec { $command[0] } @command;
    return $! + 0;
}

sub reap {
    while ((my $pid = waitpid -1, WNOHANG) > 0) {
        $status = $? if defined $child && $pid == $child;
    }
}

# After the command's own end: what it left in its session would run on without the lock, so that ends too.
sub sweep {
    my @rest = targets();
    if (!@rest) {
        sysread $failed_exec, my $errno, 4;
        end('exec', unpack 'i', $errno) if length $errno;
        end(WIFSIGNALED($status) ? ('signal', WTERMSIG($status)) : ('exit', WEXITSTATUS($status)));
    }
    return if $told_rest++;
    $left = @rest;
    tell_to_end();
    kill_by($_[0] + 2);
}

sub end {
    report("end $why $_[0] $_[1] $left");
    exit 0;
}

# ---- processes ----

# Those that must not outlive the lock, as far as we may signal them. A daemon that has made a session of its own may, if
# the command ended by itself: to start it was the command's work.
sub targets {
    my @found = descendants();
    @found = grep { $_->[2] == $session } @found if $why eq 'done' && !$alone && defined $status;
    return grep { kill(0, $_) || $! != EPERM } map { $_->[0] } @found;
}

sub tell_to_end {
    my @all = targets();
    kill TERM => @all;
    kill CONT => @all;    # a stopped one could not obey
}

# Stops all before it kills any, so that none forks away meanwhile; again soon, until none is left.
sub kill_all {
    my %stopped;
    for (1 .. 100) {
        my @running = grep { !$stopped{$_}++ } targets() or last;
        kill STOP => @running;
    }
    kill KILL => keys %stopped;
    $kill_at = $_[0] + 0.1;
}

sub pass_on {
    my ($signal) = @_;
    return push @early, $signal if !defined $child;
    # An interrupt while our terminal's keys go to mortise is one of them: the command has had it too.
    return if defined $status || $signal eq 'INT' && ((about($child))[5] // -1) == $family;
    my @all = descendants();
    my ($group) = map { $_->[1] } grep { $_->[0] == $child } @all;
    kill $signal => map { $_->[0] } grep { $_->[1] == $group } @all if defined $group;
}

# ---- lines from and to mortise ----

sub wait_for_news {
    my ($now) = @_;
    my $until = $now + ($lease ? period() : 3600);
    if ($lease) {
        my @events = ($kill_at // $until, $deadline - grace(), $deadline - $warning, defined $asked_at ? () : $next_ask);
        push @events, $time_over if $timeout && defined $child;
        $until = min($until, $_) for grep { $_ > $now } @events;
    }
    my $ready = '';
    vec($ready, fileno $jvm, 1) = 1 unless $alone;
    select $ready, undef, undef, $until - $now;
    return if $alone || !vec($ready, fileno $jvm, 1);
    my $got = sysread $jvm, $received, 65536, length $received;
    return gone() if defined $got ? $got == 0 : $! != EAGAIN && $! != EINTR;
    obey(split / /, $1, -1) while $received =~ s/^(.*)\n//;    # -1: empty words at the end are words, too
}

sub obey {
    my ($verb, @words) = @_;
    return answered(@words) if $verb eq 'left';
    return pass_on(@words) if $verb eq 'signal';
    return force('lost') if $verb eq 'lost';
    ($lease, $warning, $timeout) = map { $_ / 1000 } splice @words, 0, 3;
    while ((my $word = shift @words) ne '--') {
        my ($name, $value) = split /=/, pack('H*', $word), 2;
        $environment{$name} = $value;    # without a value: to be removed
    }
    @command = map { pack 'H*', $_ } @words;
}

sub report { syswrite $jvm, "$_[0]\n" unless $alone }

# ---- what Linux tells about processes ----

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
