#!/bin/bash
# make-root.sh <suite> <folder>: a minimal Debian with systemd in a folder, made once.
set -euo pipefail
suite=$1 folder=$2
if [ -e "$folder/.complete" ]; then exit 0; fi
if ! command -v debootstrap >/dev/null; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq debootstrap >/dev/null
fi
# The mirror that this machine itself installs from.
mirror=$(sed -nE 's/^URIs: *([^ ]+).*/\1/p; s/^deb +(\[[^]]*\] +)?([^ ]+) .*/\2/p' \
  /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null |
  grep -v security | head -n 1 || true)
rm -rf "$folder"
mkdir -p "$folder"
debootstrap --variant=minbase \
  --include=systemd,systemd-sysv,dbus,procps,libstdc++6 "$suite" "$folder" "$mirror" >"$folder.log" 2>&1 ||
  { tail -n 20 "$folder.log" >&2; exit 1; }
# Nothing of the machine's own hardware and network is any of its business.
for name in systemd-sysctl systemd-udevd systemd-udev-trigger systemd-modules-load \
  systemd-remount-fs systemd-logind systemd-timesyncd systemd-networkd systemd-firstboot \
  systemd-hwdb-update systemd-pcrphase getty@tty1 console-getty; do
  ln -sfn /dev/null "$folder/etc/systemd/system/$name.service"
done
tr -d - </proc/sys/kernel/random/uuid >"$folder/etc/machine-id"
touch "$folder/.complete"
