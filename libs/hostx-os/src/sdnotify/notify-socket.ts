import { type Clock, shownValue } from '@apix/contracts';
import { OsError } from '../errors.js';
import { loadKoffi } from '../load-koffi.js';
import { type Datagrams, type NotifySocket, patientSocket } from './patient-socket.js';

const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const SOCK_CLOEXEC = 0o2000000;
const MSG_DONTWAIT = 0x40;
const MSG_NOSIGNAL = 0x4000;
/** The capacity of a `sockaddr_un`. */
const MAX_BYTES = 108;
/** EAGAIN and ENOBUFS: the queue of the other end is full. */
const FULL: readonly number[] = [11, 105];

/** The timer that retries a full queue; it does not keep the process alive. */
const unrefClock: Clock = {
  now: () => Date.now(),
  after(ms, fn) {
    const timer = setTimeout(fn, ms).unref();
    return () => clearTimeout(timer);
  },
};

/**
 * Opens a datagram socket to the service manager; a message that finds its queue full is sent later. Uses
 * the C library, because Node has no such sockets, and because systemd-notify(1) is another process.
 *
 * @throws RangeError for a name that cannot be an address, OsError without a socket.
 */
export function openNotifySocket(name: string, clock: Clock = unrefClock): NotifySocket {
  return patientSocket(openDatagrams(name), clock);
}

function openDatagrams(name: string): Datagrams {
  const address = socketAddress(name);
  const koffi = loadKoffi();
  const libc = koffi.load(null);
  const socket = libc.func('int socket(int, int, int)');
  const close = libc.func('int close(int)');
  // ssize_t and size_t, as koffi knows them.
  const sendto = libc.func(
    'intptr_t sendto(int, const void *, size_t, int, const void *, uint32_t)',
  );
  const fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0) as number;
  if (fd < 0) throw new OsError('cannot open a socket for sd_notify', koffi.errno());
  let isOpen = true;
  return {
    send(text) {
      if (!isOpen) return 'lost';
      const bytes = Buffer.from(text);
      // Its queue holds as few as ten; a manager that does not read must not hold us up.
      const flags = MSG_DONTWAIT | MSG_NOSIGNAL;
      const sent = sendto(fd, bytes, bytes.length, flags, address, address.length) as number;
      if (sent === bytes.length) return 'sent';
      return FULL.includes(koffi.errno()) ? 'full' : 'lost';
    },
    close() {
      if (isOpen) close(fd);
      isOpen = false;
    },
  };
}

/**
 * `NOTIFY_SOCKET` as a `sockaddr_un`: a path, or with a leading `@` a name in Linux's abstract
 * namespace, sd_notify(3).
 *
 * @throws RangeError for anything else, `vsock:` included.
 */
export function socketAddress(name: string): Buffer {
  const isAbstract = name.startsWith('@');
  if (!isAbstract && !name.startsWith('/')) {
    throw new RangeError(
      `hostx-os: NOTIFY_SOCKET must start with "/" or "@", not be ${shownValue(name)}`,
    );
  }
  const bytes = Buffer.from(isAbstract ? `\0${name.slice(1)}` : `${name}\0`);
  if (bytes.length > MAX_BYTES) {
    throw new RangeError(
      `hostx-os: NOTIFY_SOCKET must be at most ${MAX_BYTES} bytes long, not ${bytes.length}`,
    );
  }
  const family = Buffer.alloc(2);
  family.writeUInt16LE(AF_UNIX);
  return Buffer.concat([family, bytes]);
}
