import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Clock, thrownText } from '@apix/contracts';
import { BackupNames, COMPRESSED } from './backup-name.js';
import { copyMode } from './file-mode.js';
import type { RotationPlan } from './rotation.js';

/** The suffix of a compressed file until it is complete. */
const UNFINISHED = `${COMPRESSED}.tmp`;

interface Backup {
  readonly fileName: string;
  readonly time: number;
  readonly compressed: boolean;
}

export interface BackupKeeperOptions {
  readonly plan: RotationPlan;
  /** Permission bits of the log, which compressed files do not exceed. */
  readonly mode: number;
  readonly clock: Clock;
  readonly onError: (error: Error) => void;
  /**
   * Whether other processes write to the log, who may be about to write to the file that was just set aside: it is
   * compressed after the next one. Default: false.
   */
  readonly othersWrite?: boolean | undefined;
}

/**
 * Deletes old files beyond their number and age and compresses the rest, in the background, one run at a
 * time. If the end of the process interrupts a run, the next run completes its work.
 */
export class BackupKeeper {
  #run: Promise<void> | undefined;
  #again = false;

  constructor(
    private readonly names: BackupNames,
    private readonly options: BackupKeeperOptions,
  ) {}

  /** Starts a run; if one is in progress, it is followed by another. */
  start(): void {
    const { maxBackups, maxAgeMs, compress } = this.options.plan;
    if (maxBackups === 0 && maxAgeMs === 0 && !compress) return;
    if (this.#run !== undefined) {
      this.#again = true;
      return;
    }
    this.#run = this.#keep()
      .catch((cause: unknown) => {
        const message = `logx: cannot clean up old files in ${this.names.directory}`;
        this.options.onError(new Error(`${message}: ${thrownText(cause)}`, { cause }));
      })
      .finally(() => {
        this.#run = undefined;
        if (!this.#again) return;
        this.#again = false;
        this.start();
      });
  }

  /** Resolves when no run is in progress. */
  async idle(): Promise<void> {
    while (this.#run !== undefined) await this.#run;
  }

  async #keep(): Promise<void> {
    const backups = await this.#list();
    const kept = this.#survivors(backups);
    for (const backup of backups) {
      if (!kept.has(backup)) await this.#remove(backup.fileName);
    }
    if (!this.options.plan.compress) return;
    const [newest] = kept;
    for (const backup of kept) {
      const mayGrow = this.options.othersWrite === true && backup === newest;
      if (!backup.compressed && !mayGrow) await this.#compress(backup.fileName);
    }
  }

  /** Newest first; also deletes files left over from an interrupted compression. */
  async #list(): Promise<Backup[]> {
    const backups: Backup[] = [];
    for (const fileName of await readdir(this.names.directory)) {
      const whole = fileName.endsWith(UNFINISHED)
        ? fileName.slice(0, -UNFINISHED.length)
        : fileName;
      const parsed = this.names.parse(whole);
      if (parsed === undefined) continue;
      if (whole === fileName) backups.push({ fileName, ...parsed });
      else await this.#remove(fileName);
    }
    return backups.toSorted((a, b) => b.time - a.time);
  }

  /** A file and its compressed twin count as one backup, as in lumberjack. */
  #survivors(backups: readonly Backup[]): Set<Backup> {
    const { plan, clock } = this.options;
    const { maxBackups, maxAgeMs } = plan;
    const oldest = maxAgeMs > 0 ? clock.now() - maxAgeMs : -Infinity;
    const times = new Set<number>();
    return new Set(
      backups.filter(({ time }) => {
        times.add(time);
        return time >= oldest && (maxBackups === 0 || times.size <= maxBackups);
      }),
    );
  }

  async #compress(fileName: string): Promise<void> {
    const source = join(this.names.directory, fileName);
    const unfinished = source + UNFINISHED;
    try {
      const mode = copyMode(this.options.mode, (await stat(source)).mode);
      // An existing file or link has its own permissions, so it is not written to.
      const target = createWriteStream(unfinished, { flags: 'wx', mode });
      const { createGzip } = process.getBuiltinModule('node:zlib');
      const content = createReadStream(source);
      await pipeline(content, createGzip(), target);
      // Somebody still writes to it; the next run compresses it.
      if ((await stat(source)).size !== content.bytesRead)
        return await rm(unfinished, { force: true });
      await rename(unfinished, source + COMPRESSED);
      await this.#remove(fileName);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  #remove(fileName: string): Promise<void> {
    return rm(join(this.names.directory, fileName), { force: true });
  }
}
