#!/bin/bash
# boot.sh <root> <state> <share>: boots the systemd of a root as PID 1 of namespaces of its own,
# with <share> at /mnt/share. The process id of that PID 1, as seen from here, goes to <state>/pid.
set -euo pipefail
root=$(realpath "$1") state=$2 share=$(realpath "$3")
mkdir -p "$state"
# cgroup2 alone, or beside the old hierarchies.
cgroups=/sys/fs/cgroup/unified
[ -d "$cgroups" ] || cgroups=/sys/fs/cgroup
box=$cgroups/apix-$(basename "$root")
mkdir -p "$box"
: >"$state/console.log"
(
  echo "$BASHPID" >"$box/cgroup.procs"
  echo "$BASHPID" >"$state/unshare.pid"
  export root share
  exec setsid unshare --pid --fork --mount --uts --ipc --net --cgroup --propagation private \
    bash -euc '
      mount --bind "$root" "$root"
      cd "$root"
      mount -t proc proc proc
      mount -t sysfs -o ro sysfs sys
      mount -t tmpfs -o mode=755 tmpfs dev
      mkdir dev/pts dev/shm dev/mqueue
      for device in null zero full random urandom tty; do
        touch dev/$device
        mount --bind /dev/$device dev/$device
      done
      ln -s /proc/self/fd dev/fd
      ln -s pts/ptmx dev/ptmx
      mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
      mount -t tmpfs tmpfs dev/shm
      mount -t tmpfs -o mode=755 tmpfs run
      mkdir -p mnt/share run/lock
      mount --bind "$share" mnt/share
      mount -t tmpfs -o size=0 none sys/fs/cgroup 2>/dev/null || true
      mount -t cgroup2 cgroup2 sys/fs/cgroup
      mount --bind proc/sys proc/sys
      mount -o remount,ro,bind proc/sys
      mkdir -p .old
      pivot_root . .old
      cd /
      umount -l /.old
      hostname apix
      exec env -i container=apix PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb \
        /lib/systemd/systemd --log-target=console --log-level=info --show-status=yes
    ' </dev/null >>"$state/console.log" 2>&1
) &
for _ in $(seq 100); do
  pid=$(pgrep -P "$(cat "$state/unshare.pid" 2>/dev/null || echo 999999)" || true)
  if [ -n "$pid" ] && grep -q systemd "/proc/$pid/comm"; then
    echo "$pid" >"$state/pid"
    exit 0
  fi
  sleep 0.1
done
tail -n 20 "$state/console.log" >&2
exit 1
