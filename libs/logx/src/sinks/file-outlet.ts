import fs from 'node:fs';
import { type Clock, systemClock, thrownText } from '@apix/contracts';
import { BackupKeeper } from './backup-keeper.js';
import { BackupNames } from './backup-name.js';
import { isAtPath, openToAppend } from './log-file.js';
import type { Outlet } from './outlet.js';
import { nextBoundary, type RotationPlan } from './rotation.js';
import { stopThread } from './patiently.js';

/** Interval of checking whether the open file is still the one at its path. */
const LOOK_INTERVAL_MS = 1_000;
/** How long the exit waits for a write that another thread has started. */
const MAX_SETTLE_MS = 1_000;

export interface FileOutletOptions {
  readonly onError: (error: Error) => void;
  /** Default: one file that grows without limit. */
  readonly plan?: RotationPlan | undefined;
  /** Permission bits of files that it creates. */
  readonly mode: number;
  readonly clock?: Clock | undefined;
}

/** A file that is appended to, and rotated if there is a plan. */
export class FileOutlet implements Outlet {
  readonly name: string;
  readonly #clock: Clock;
  readonly #names: BackupNames;
  readonly #keeper: BackupKeeper | undefined;
  #fd: number | undefined;
  /** Size of the open file in bytes. */
  #size = 0;
  /** Size of the newest file in bytes when all lines accepted for it are written. */
  #planned = 0;
  /** New files that were requested and are not started yet. */
  #dueFiles = 0;
  #boundary = Infinity;
  #lookedAt = 0;
  /** Bytes that another thread is writing. */
  #inFlight = 0;

  /** @throws Error when the file cannot be opened; missing directories are created. */
  constructor(
    private readonly path: string,
    private readonly options: FileOutletOptions,
  ) {
    const { plan, clock = systemClock, onError, mode } = options;
    this.name = `file ${path}`;
    this.#clock = clock;
    this.#names = new BackupNames(path, plan?.localTime ?? false);
    if (plan) this.#keeper = new BackupKeeper(this.#names, { plan, mode, clock, onError });
    this.#open();
    this.#keeper?.start();
  }

  prepare(): boolean {
    const now = this.#clock.now();
    if (this.#fd !== undefined && Math.abs(now - this.#lookedAt) >= LOOK_INTERVAL_MS) {
      this.#lookedAt = now;
      if (!isAtPath(this.path, fs.fstatSync(this.#fd))) {
        this.#closeFile();
        this.#report(`${this.name} was moved or deleted while in use; a new one begins`);
      }
    }
    if (this.#fd !== undefined) return false;
    this.#open();
    return true;
  }

  write(bytes: Buffer, offset: number, length: number): number {
    const written = fs.writeSync(this.#fd!, bytes, offset, length);
    this.#size += written;
    return written;
  }

  writeInBackground(
    bytes: Buffer,
    offset: number,
    length: number,
    done: (error: Error | null, written: number) => void,
  ): void {
    this.#inFlight = length;
    fs.write(this.#fd!, bytes, offset, length, null, (error, written) => {
      this.#inFlight = 0;
      this.#size += written;
      done(error, written);
    });
  }

  settleBackground(): number {
    let written = 0;
    for (let waited = 0; written < this.#inFlight && waited < MAX_SETTLE_MS; waited++) {
      if (waited > 0) stopThread(1);
      written = fs.fstatSync(this.#fd!).size - this.#size;
    }
    return Math.max(0, Math.min(written, this.#inFlight));
  }

  startsFile(lineBytes: number): boolean {
    const { plan } = this.options;
    if (plan === undefined) return false;
    const now = plan.every === 'none' ? 0 : this.#clock.now();
    const due = this.#planned + lineBytes > plan.maxBytes || now >= this.#boundary;
    if (now >= this.#boundary) this.#boundary = nextBoundary(plan, now);
    if (!due || this.#planned === 0) {
      this.#planned += lineBytes;
      return false;
    }
    this.#planned = lineBytes;
    this.#dueFiles++;
    return true;
  }

  renew(): void {
    if (this.#fd !== undefined) this.#setAside();
    const planned = this.#planned;
    this.#open();
    this.#planned = planned;
    this.#dueFiles--;
    this.#keeper?.start();
  }

  async close(): Promise<void> {
    this.#closeFile();
    await this.#keeper?.idle();
  }

  #setAside(): void {
    this.#closeFile();
    try {
      fs.renameSync(this.path, this.#names.freePathAt(this.#clock.now()));
    } catch (cause) {
      this.#report(`cannot rotate ${this.name}, it goes on growing: ${thrownText(cause)}`, cause);
    }
  }

  #open(): void {
    const { mode, plan } = this.options;
    const fd = openToAppend(this.path, 'a', mode);
    this.#fd = fd;
    this.#lookedAt = this.#clock.now();
    const { size, mtimeMs } = fs.fstatSync(fd);
    if (this.#dueFiles === 0) this.#planned += size - this.#size;
    this.#size = size;
    if (plan) this.#boundary = nextBoundary(plan, size > 0 ? mtimeMs : this.#lookedAt);
  }

  #closeFile(): void {
    const fd = this.#fd;
    this.#fd = undefined;
    if (fd !== undefined) fs.closeSync(fd);
  }

  #report(message: string, cause?: unknown): void {
    this.options.onError(new Error(`logx: ${message}`, { cause }));
  }
}
