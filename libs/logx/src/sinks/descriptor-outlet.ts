import fs from 'node:fs';
import { errorCode } from './error-code.js';
import type { Outlet } from './outlet.js';

// Why: docs/decisions/0279
/** A disconnected terminal, a pipe or socket without a reader, a closed descriptor. */
const GONE_CODES: ReadonlySet<string> = new Set(['EIO', 'EPIPE', 'ECONNRESET', 'ENXIO', 'EBADF']);

/** A descriptor that the process was started with: standard output or standard error. */
export class DescriptorOutlet implements Outlet {
  readonly #fd: number;
  readonly #own: boolean;

  constructor(
    readonly name: string,
    fd: number,
  ) {
    const reopened = reopenPipe(fd);
    this.#own = reopened !== undefined;
    this.#fd = reopened ?? fd;
  }

  write(bytes: Buffer, offset: number, length: number): number {
    return fs.writeSync(this.#fd, bytes, offset, length);
  }

  isGone(error: unknown): boolean {
    return GONE_CODES.has(errorCode(error));
  }

  close(): void {
    if (this.#own) fs.closeSync(this.#fd);
  }
}

/**
 * A second, non-blocking descriptor of the pipe behind a descriptor, so that a reader that has stopped
 * reading cannot stop the process. Only Linux has one, and not for sockets; setting O_NONBLOCK on the
 * descriptor itself would change it for every process that shares it.
 */
function reopenPipe(fd: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    if (!fs.fstatSync(fd).isFIFO()) return undefined;
    // Why: docs/decisions/0045
    return fs.openSync(`/proc/self/fd/${fd}`, fs.constants.O_WRONLY | fs.constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}
