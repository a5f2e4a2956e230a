import fs from 'node:fs';
import { join } from 'node:path';
import { thrownText } from '@apix/contracts';
import type { Batch } from '../bulk/batch.js';
import { isRunning, nameOf, type StartOf } from './owner.js';
import { HEADER_BYTES, type Origin } from './record.js';
import { type Place, Segment } from './segment.js';

const MAX_SEGMENT_BYTES = 8 * 1024 * 1024;
const SEGMENT = /^\d+\.spool$/;
const OWNER = /^\d+-\d+-\d+$/;
/** The directories that sinks of this process use. */
const inUse = new Set<string>();

export interface SpoolOptions {
  readonly path: string;
  readonly maxBytes: number;
  /** Default: from `/proc` on Linux; not available elsewhere. */
  readonly startOf?: StartOf;
}

export interface AppendOptions {
  /** Whether the batch is written even if `maxBytes` is exceeded. Default: false. */
  readonly passesBounds?: boolean;
}

/**
 * Stores batches on disk, in a directory of this process below the given one. Takes over the files of
 * processes that no longer run.
 */
export class Spool {
  /** The batches of earlier processes, oldest first. */
  readonly recovered: readonly Place[];
  /** Bytes at the ends of their files that are not a complete batch. */
  readonly tornBytes: number;
  readonly #folder: string;
  readonly #segments = new Set<Segment>();
  readonly #segmentBytes: number;
  #active: Segment | undefined;
  #number = 0;

  /** @throws Error if the directory cannot be used, or another sink of this process uses it. */
  constructor(private readonly options: SpoolOptions) {
    this.#folder = join(options.path, nameOf(process.pid, undefined, options.startOf));
    this.#segmentBytes = Math.min(MAX_SEGMENT_BYTES, options.maxBytes / 16);
    if (inUse.has(this.#folder)) {
      throw new Error(`logx-elastic: another sink of this process uses the spool ${options.path}`);
    }
    try {
      fs.mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      const found = this.#adopt().map((path) => this.#recover(path));
      this.recovered = found
        .flatMap(({ places }) => places)
        .toSorted(({ header: a }, { header: b }) => a.since - b.since || a.number - b.number);
      this.tornBytes = found.reduce((sum, { tornBytes }) => sum + tornBytes, 0);
    } catch (cause) {
      for (const segment of this.#segments) segment.close();
      throw new Error(`logx-elastic: the spool cannot be used: ${thrownText(cause)}`, { cause });
    }
    inUse.add(this.#folder);
  }

  /** Bytes on disk. */
  get bytes(): number {
    let bytes = 0;
    for (const { size } of this.#segments) bytes += size;
    return bytes;
  }

  /** Writes a batch; returns undefined if there is no room. @throws Error if it cannot be written to disk. */
  append(
    batch: Batch,
    origin: Origin,
    { passesBounds = false }: AppendOptions = {},
  ): Place | undefined {
    const needed = HEADER_BYTES + batch.body.length;
    if (!passesBounds && this.bytes + needed > this.options.maxBytes) return undefined;
    const segment = this.#segmentFor();
    try {
      return segment.append(batch, origin);
    } catch (error) {
      // The record may be incomplete, and records after it could not be found again.
      this.#active = undefined;
      if (segment.isDone) this.#drop(segment);
      throw error;
    }
  }

  done(place: Place): void {
    const { segment } = place;
    segment.done(place);
    if (segment.isDone && segment !== this.#active) this.#drop(segment);
  }

  /** Deletes finished files; the others are left for the next process. */
  close(): void {
    this.#active = undefined;
    for (const segment of this.#segments) {
      if (segment.isDone) this.#drop(segment);
      else segment.close();
    }
    removeEmpty(this.#folder);
    inUse.delete(this.#folder);
  }

  #recover(path: string): ReturnType<typeof Segment.recover> {
    const found = Segment.recover(path);
    this.#segments.add(found.segment);
    if (found.places.length === 0) this.#drop(found.segment);
    return found;
  }

  #segmentFor(): Segment {
    const active = this.#active;
    if (active !== undefined && active.size < this.#segmentBytes) return active;
    if (active?.isDone === true) this.#drop(active);
    this.#active = Segment.create(this.#nextPath());
    this.#segments.add(this.#active);
    return this.#active;
  }

  #drop(segment: Segment): void {
    this.#segments.delete(segment);
    segment.remove();
  }

  /** Moves the files of processes that no longer run here; if several processes try, one gets each file. */
  #adopt(): string[] {
    const own = segmentsIn(this.#folder);
    this.#number = Number.parseInt(own.at(-1) ?? '0', 10);
    const orphans = fs
      .readdirSync(this.options.path)
      .filter((name) => OWNER.test(name) && !isRunning(name, this.options.startOf))
      .map((name) => join(this.options.path, name))
      .toSorted((one, other) => changedAt(one) - changedAt(other));
    return [
      ...own.map((name) => join(this.#folder, name)),
      ...orphans.flatMap((folder) => {
        const adopted = segmentsIn(folder).flatMap((name) => {
          const path = this.#nextPath();
          return moved(join(folder, name), path) ? [path] : [];
        });
        removeEmpty(folder);
        return adopted;
      }),
    ];
  }

  #nextPath(): string {
    return join(this.#folder, `${String(++this.#number).padStart(10, '0')}.spool`);
  }
}

/** False when another process was faster. */
function moved(from: string, to: string): boolean {
  try {
    fs.renameSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

function segmentsIn(folder: string): string[] {
  try {
    return fs
      .readdirSync(folder)
      .filter((name) => SEGMENT.test(name))
      .toSorted();
  } catch {
    return [];
  }
}

function changedAt(folder: string): number {
  return fs.statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function removeEmpty(folder: string): void {
  try {
    fs.rmdirSync(folder);
  } catch {
    // The directory is not empty, or another process was faster.
  }
}
