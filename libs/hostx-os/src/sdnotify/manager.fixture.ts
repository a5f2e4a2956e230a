import koffi from 'koffi';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { socketAddress } from './notify-socket.js';

const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const MSG_DONTWAIT = 0x40;
const SIZE = 4_096;

/** The service manager's end of sd_notify: a real datagram socket. */
export interface Manager {
  /** For `NOTIFY_SOCKET`. */
  readonly name: string;
  /** Every datagram since the last call, in order. */
  received(): string[];
  close(): void;
}

/** @param isAbstract a name in Linux's abstract namespace instead of a path. */
export function openManager(isAbstract = false): Manager {
  const libc = koffi.load(null);
  const bind = libc.func('int bind(int, const void *, uint32_t)');
  const recv = libc.func('intptr_t recv(int, void *, size_t, int)');
  const folder = mkdtempSync(join(tmpdir(), 'notify-'));
  const name = isAbstract ? `@${folder}` : join(folder, 'socket');
  const address = socketAddress(name);
  const fd = libc.func('int socket(int, int, int)')(AF_UNIX, SOCK_DGRAM, 0) as number;
  if (bind(fd, address, address.length) !== 0) throw new Error(`bind: errno ${koffi.errno()}`);
  return {
    name,
    received() {
      const texts: string[] = [];
      const buffer = Buffer.alloc(SIZE);
      for (;;) {
        const size = Number(recv(fd, buffer, SIZE, MSG_DONTWAIT));
        if (size < 0) return texts;
        texts.push(buffer.toString('utf8', 0, size));
      }
    },
    close() {
      libc.func('int close(int)')(fd);
      rmSync(folder, { recursive: true });
    },
  };
}
