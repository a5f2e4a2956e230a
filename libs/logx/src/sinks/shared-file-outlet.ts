import fs from 'node:fs';
import { type Clock, systemClock, thrownText } from '@apix/contracts';
import { BackupKeeper } from './backup-keeper.js';
import { BackupNames } from './backup-name.js';
import type { FileOutletOptions } from './file-outlet.js';
import { idleClock } from './idle-clock.js';
import { isAtPath, openToAppend } from './log-file.js';
import type { Outlet } from './outlet.js';
import { nextBoundary } from './rotation.js';

/** Interval in which the leader looks whether others have filled the file, in milliseconds. */
const LOOK_INTERVAL_MS = 200;
/** After a rotation that failed. */
const RETRY_MS = 60_000;

export interface SharedFileOutletOptions extends FileOutletOptions {
  /** Whether this process rotates the file; never true in two of them at the same time. */
  readonly isLeading: () => boolean;
}

// Why: docs/decisions/0518
/**
 * A file that several processes of an app append to, each by whole lines. One of them, the leader, rotates it;
 * the others notice that with their next write. Writes are not made in the background, where the file could be
 * rotated before they begin.
 */
export class SharedFileOutlet implements Outlet {
  readonly name: string;
  readonly #clock: Clock;
  readonly #names: BackupNames;
  readonly #keeper: BackupKeeper | undefined;
  #file: { readonly fd: number; readonly ino: number; readonly dev: number } | undefined;
  #boundary = Infinity;
  #notBefore = 0;
  #wasLeading = false;
  /** Whether the last write ended within a line. */
  #isCut = false;
  #cancelLook: () => void = () => {};
  readonly #lastByte = Buffer.alloc(1);

  /** @throws Error when the file cannot be opened; missing directories are created. */
  constructor(
    private readonly path: string,
    private readonly options: SharedFileOutletOptions,
  ) {
    const { plan, clock = systemClock, onError, mode } = options;
    this.name = `file ${path}`;
    this.#clock = clock;
    this.#names = new BackupNames(path, plan?.localTime ?? false);
    this.#open();
    if (plan === undefined) return;
    const kept = { plan, mode, clock, onError, othersWrite: true };
    this.#keeper = new BackupKeeper(this.#names, kept);
    this.#look();
  }

  prepare(bytes: number): boolean {
    const isCut = this.#isCut;
    this.#isCut = false;
    this.#openMoved();
    this.#rotateIfDue(bytes);
    this.#endLineOfOthers();
    return isCut;
  }

  write(bytes: Buffer, offset: number, length: number): number {
    const written = fs.writeSync(this.#file!.fd, bytes, offset, length);
    // What others write next would follow on the same line.
    this.#isCut = written < length;
    return written;
  }

  async close(): Promise<void> {
    this.#cancelLook();
    this.#closeFile();
    await this.#keeper?.idle();
  }

  /** Also rotates what only others write to. */
  #look(): void {
    this.#cancelLook = idleClock.after(LOOK_INTERVAL_MS, () => this.#look());
    try {
      this.#openMoved();
      this.#rotateIfDue(0);
    } catch {
      // The next write reports it.
    }
    if (!this.options.isLeading()) {
      this.#wasLeading = false;
    } else if (!this.#wasLeading) {
      this.#wasLeading = true;
      // The leader before may have ended within a run.
      this.#keeper?.start();
    }
  }

  #openMoved(): void {
    const file = this.#file;
    if (file !== undefined && !isAtPath(this.path, file)) {
      this.#closeFile();
      if (this.options.plan === undefined && this.options.isLeading())
        this.#report(`${this.name} was moved or deleted while in use; a new one begins`);
    }
    if (this.#file === undefined) this.#open();
  }

  #rotateIfDue(bytes: number): void {
    const { plan, isLeading } = this.options;
    if (plan === undefined || !isLeading()) return;
    const { size } = fs.fstatSync(this.#file!.fd);
    const now = plan.every === 'none' ? 0 : this.#clock.now();
    const isDue = size + bytes > plan.maxBytes || now >= this.#boundary;
    if (!isDue || size === 0 || performance.now() < this.#notBefore) return;
    try {
      fs.renameSync(this.path, this.#names.freePathAt(this.#clock.now()));
    } catch (cause) {
      this.#notBefore = performance.now() + RETRY_MS;
      this.#report(`cannot rotate ${this.name}, it goes on growing: ${thrownText(cause)}`, cause);
      return;
    }
    this.#closeFile();
    this.#open();
    this.#keeper?.start();
  }

  /** Ends the line of a process that was killed while it wrote it, so that ours does not follow on it. */
  #endLineOfOthers(): void {
    const { fd } = this.#file!;
    if (this.#endsLine()) return;
    try {
      // Another process may still be writing: this waits for it, as the system does one after the other.
      fs.fchmodSync(fd, fs.fstatSync(fd).mode & 0o7777);
    } catch {
      // Of another user.
    }
    if (!this.#endsLine()) fs.writeSync(fd, '\n');
  }

  #endsLine(): boolean {
    const { fd } = this.#file!;
    const { size } = fs.fstatSync(fd);
    if (size === 0 || fs.readSync(fd, this.#lastByte, 0, 1, size - 1) === 0) return true;
    return this.#lastByte[0] === LINE_FEED;
  }

  #open(): void {
    const { mode, plan } = this.options;
    const fd = openToAppend(this.path, 'a+', mode);
    const { ino, dev, size, mtimeMs } = fs.fstatSync(fd);
    this.#file = { fd, ino, dev };
    if (plan) this.#boundary = nextBoundary(plan, size > 0 ? mtimeMs : this.#clock.now());
  }

  #closeFile(): void {
    const file = this.#file;
    this.#file = undefined;
    if (file !== undefined) fs.closeSync(file.fd);
  }

  #report(message: string, cause?: unknown): void {
    this.options.onError(new Error(`logx: ${message}`, { cause }));
  }
}

const LINE_FEED = 0x0a;
