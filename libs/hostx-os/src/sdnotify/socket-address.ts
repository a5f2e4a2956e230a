import { shownValue } from '@apix/contracts';

const AF_UNIX = 1;
/** The capacity of a `sockaddr_un`. */
const MAX_BYTES = 108;

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
