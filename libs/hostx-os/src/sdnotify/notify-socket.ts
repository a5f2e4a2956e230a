import { OsError } from '../errors.js';
import { loadKoffi } from '../load-koffi.js';
import { socketAddress } from './socket-address.js';

const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const SOCK_CLOEXEC = 0o2000000;
const MSG_DONTWAIT = 0x40;
const MSG_NOSIGNAL = 0x4000;

/** Where datagrams to the service manager go. */
export interface NotifySocket {
  /** False when it was not taken, for whatever reason; never waits and never throws. */
  send(text: string): boolean;
  close(): void;
}

/**
 * Opens a datagram socket to the service manager. By the C library, because Node has no such
 * sockets, and because systemd-notify(1) speaks as another process.
 *
 * @throws RangeError for a name that cannot be an address, OsError without a socket.
 */
export function openNotifySocket(name: string): NotifySocket {
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
      if (!isOpen) return false;
      const bytes = Buffer.from(text);
      // Its queue holds few datagrams; a manager that does not read must not hold us up.
      const flags = MSG_DONTWAIT | MSG_NOSIGNAL;
      const sent = sendto(fd, bytes, bytes.length, flags, address, address.length) as number;
      return sent === bytes.length;
    },
    close() {
      if (isOpen) close(fd);
      isOpen = false;
    },
  };
}
