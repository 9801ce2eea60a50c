# SPDX-FileCopyrightText: The Mortise authors
# SPDX-License-Identifier: Apache-2.0
#
# The line in which runs of mortise wait that need no JVM yet. Of all that wait on this host for one lock, the first few
# ask the store; the others stand here, in a process of 2 MB that does nothing.
# Run as `perl -t line.pl WORDS JAVA OPTION... run ARGUMENT...`; WORDS is the number of words that start the JVM. Becomes
# this JVM as soon as there is a place for it, or when the time of --wait is over: then the JVM asks the store once. So the
# line lets nobody in and turns nobody away. A place is a locked byte of a file: the kernel frees it with the process.
# Whatever it does not understand does not wait here.
use strict;
use warnings;
no warnings 'taint';
use Config;
use Fcntl qw(F_SETLK F_SETLKW F_UNLCK F_WRLCK O_CREAT O_NOFOLLOW O_RDWR);

# The holder has one; the others wait at the store, and one that is frozen there keeps nobody from the lock.
my $places = 3;

# The options of `mortise run` with a value of their own, and those without.
my %with_value = map { $_ => 1 } qw(--store --store-file --wait --conflict-exit-code --lease --at-least --lock-delay --max-hold
    --timeout --unless-run-since);
my %without_value = map { $_ => 1 } qw(--quiet --verbose);

my @java = splice @ARGV, 0, shift;
my $begin = now();
my ($key, $wait, @wait_at) = understood(@ARGV);
my $deadline = defined $wait ? $begin + $wait : undef;
if (defined $key and my $line = line()) {
    stand($line, offset($key));
    my $left = defined $deadline ? $deadline - now() : 0;
    splice @ARGV, $wait_at[0], $wait_at[1], '--wait=' . ($left > 0 ? int($left * 1000) : 0) . 'ms' if @wait_at;
    my $waited = int((now() - $begin) * 1000);
    splice @java, 1, 0, "-Dmortise.waited=$waited" if $waited > 0;
}
exec { $java[0] } @java, @ARGV or die "mortise: cannot start $java[0]: $!\n";

# Waits for a place, no longer than until the deadline. The first of the line looks for one ten times a second, and the
# others do nothing, but for one look every few seconds: the first may be stopped (^Z).
sub stand {
    my ($line, $offset) = @_;
    until (is_first($line, $offset)) {
        return if take_place($line, $offset) or is_over();
    }
    until (take_place($line, $offset) or is_over()) {
        pause();
    }
    lock_byte($line, $offset, F_SETLK, F_UNLCK);
}

# Whether this process became the first within some seconds.
sub is_first {
    my ($line, $offset) = @_;
    my $seconds = 5;
    $seconds = int($deadline - now()) if defined $deadline and $deadline - now() < $seconds;
    my $first = 0;
    if ($seconds > 0) {
        local $SIG{ALRM} = sub { die "too long\n" };
        $first = eval { alarm $seconds; my $locked = lock_byte($line, $offset, F_SETLKW); alarm 0; $locked };
    }
    $first ||= lock_byte($line, $offset, F_SETLK);
    pause() unless $first;
    return $first;
}

sub is_over { defined $deadline and now() >= $deadline }

sub take_place {
    my ($line, $offset) = @_;
    for my $place (1 .. $places) {
        return 1 if lock_byte($line, $offset + $place, F_SETLK);
    }
    return 0;
}

sub pause { select undef, undef, undef, 0.1 }

# Since the start of the machine: no clock that somebody may set.
sub now { (split ' ', first_line('/proc/uptime') // '0')[0] }

sub first_line {
    open my $file, '<', shift or return undef;
    my $first = <$file> // '';
    chomp $first;
    return $first;
}

# What the lock is known by, the time of --wait, and where the arguments say it; nothing if this run is none for the line.
sub understood {
    my (@arguments) = @_;
    return unless shift @arguments eq 'run';
    my ($name, %given, @at);
    for (my $i = 0; $i < @arguments and $arguments[$i] ne '--'; $i++) {
        my ($option, $value) = split /=/, $arguments[$i], 2;
        if ($arguments[$i] !~ /^-/) {
            $name //= $arguments[$i];
        } elsif ($with_value{$option}) {
            return if exists $given{$option};
            @at = ($i + 1, defined $value ? 1 : 2) if $option eq '--wait';
            $value //= $arguments[++$i];
            return unless defined $value;
            $given{$option} = $value;
        } elsif (!$without_value{$option} or defined $value) {
            return;    # --no-wait, --help, or a mistake: mortise itself will tell
        }
    }
    return unless defined $name;
    my $wait = $given{'--wait'};
    return if defined $wait and !defined($wait = seconds($wait));
    my $store = store(%given) // return;
    # One store for each process, and a wait that the line knows nothing of.
    return if $store =~ /^memory:|:mem(ory)?:|maxWait/i;
    my @places_of_the_default = map { $ENV{$_} // '' } qw(STATE_DIRECTORY XDG_STATE_HOME HOME);
    my $directory = readlink('/proc/self/cwd') // return;
    return (join("\0", $name, $store, $directory, @places_of_the_default), $wait, @at);
}

# The URL of the store, or nothing if it cannot be told; empty for the default.
sub store {
    my (%given) = @_;
    return $given{'--store'} if defined $given{'--store'};
    return first_line($given{'--store-file'}) if defined $given{'--store-file'};
    return $ENV{MORTISE_STORE} if length($ENV{MORTISE_STORE} // '');
    my $config = $ENV{XDG_CONFIG_HOME} // '';
    $config = ($ENV{HOME} // '') . '/.config' unless $config =~ m{^/};
    for my $file ("$config/mortise/store", '/etc/mortise/store') {
        return first_line($file) if -e $file;
    }
    return '';
}

# A time such as 500ms, 30s or 1h30m; undefined if it is not written so.
sub seconds {
    my ($text) = @_;
    return undef unless $text =~ /^(\d{1,9}(ms|s|m|h|d))+$/i;
    my %unit = (ms => 0.001, s => 1, m => 60, h => 3600, d => 86400);
    my $total = 0;
    $total += $1 * $unit{ lc $2 } while $text =~ /(\d+)(ms|s|m|h|d)/gi;
    return $total;
}

# The file of this user, open in this process and the JVM that it becomes; undefined if there is no safe place for it.
sub line {
    return undef unless $Config{archname} =~ /^(x86_64|aarch64)-linux/ and -r '/proc/uptime';
    my $directory = -d ($ENV{XDG_RUNTIME_DIR} // '') ? "$ENV{XDG_RUNTIME_DIR}/mortise" : "/tmp/mortise-$>";
    mkdir $directory, 0700;
    my (undef, undef, $mode, undef, $owner) = lstat $directory or return undef;
    return undef unless -d _ and $owner == $> and !($mode & 077);
    local $^F = 1000;    # not to be closed by exec
    sysopen my $file, "$directory/line", O_RDWR | O_CREAT | O_NOFOLLOW, 0600 or return undef;
    return $file;
}

# The first of the bytes of a lock, by FNV-1a of 64 bits. Two locks that shared theirs would share the line, too.
sub offset {
    use integer;
    my $hash = -3750763034362895579;
    $hash = ($hash ^ $_) * 1099511628211 for unpack 'C*', shift;
    return ($hash >> 4 & ~(-1 << 58)) * 4;
}

# Whether it is locked (or unlocked) now.
sub lock_byte {
    my ($file, $offset, $how, $type) = @_;
    # struct flock of 64-bit Linux
    my $flock = pack 's s x4 q q l x4', $type // F_WRLCK, 0, $offset, 1, 0;
    return fcntl $file, $how, $flock;
}
