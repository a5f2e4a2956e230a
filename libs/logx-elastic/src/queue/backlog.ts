import type { Batch } from '../bulk/batch.js';
import type { Settings } from '../config/resolve-config.js';
import type { Origin } from '../spool/record.js';
import type { Place } from '../spool/segment.js';
import type { AppendOptions, Spool } from '../spool/spool.js';
import type { Account } from './account.js';
import { Fifo } from './fifo.js';

/** A batch that is not settled; it is in memory, on disk, or both. */
export interface Entry {
  readonly number: number;
  /** When its oldest event was logged, in milliseconds since the epoch. */
  readonly since: number;
  readonly count: number;
  /** Undefined while it is only on disk. */
  body: Buffer | undefined;
  place: Place | undefined;
  /** Whether sending it has failed before. */
  readonly isRetry?: boolean;
}

/** The batches that wait, oldest first, and those being sent; each may be on disk. */
export class Backlog {
  readonly #waiting = new Fifo<Entry>();
  /** Entries that are in memory, by number. */
  readonly #inMemory = new Map<number, Entry>();
  readonly #underWay = new Set<Entry>();
  #number = 0;
  /** Set after an error of the disk, so that it is reported once and not for each batch. */
  #diskRefuses = false;

  constructor(
    private readonly settings: Settings,
    private readonly account: Account,
    private readonly spool: Spool | undefined,
    private readonly onSpoolError: (error: unknown) => void,
  ) {
    for (const place of spool?.recovered ?? []) {
      const { count, since } = place.header;
      this.#waiting.push({ number: ++this.#number, since, count, body: undefined, place });
      account.recovered += count;
      account.spooled += count;
    }
  }

  /** The number of the newest entry. */
  get newest(): number {
    return this.#number;
  }

  /** When the oldest event was logged; undefined if there is none. */
  get since(): number | undefined {
    const times = [...this.#underWay, this.#waiting.first].flatMap((entry) => entry?.since ?? []);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** True when no entry up to this number is in memory: they are settled, or on disk. */
  isSafeUpTo(number: number): boolean {
    for (const other of this.#inMemory.keys()) if (other <= number) return false;
    return true;
  }

  /** True unless the entry with this number is only in memory. */
  isSafe(number: number): boolean {
    const entry = this.#inMemory.get(number);
    return entry === undefined || entry.place !== undefined;
  }

  /** Adds a batch whose events are already counted as queued. */
  add(batch: Batch, since: number, how: AppendOptions = {}): void {
    const origin = { number: ++this.#number, since };
    const { body, count } = batch;
    const entry: Entry = { ...origin, count, body, place: this.#write(batch, origin, how) };
    if (entry.place !== undefined) this.#secured(entry.count, body);
    this.#inMemory.set(entry.number, entry);
    this.#waiting.push(entry);
    if (this.#isCrowded()) this.#forget(entry);
  }

  /** Removes the oldest entry that waits; it counts as being sent from then on. */
  take(): Entry | undefined {
    const entry = this.#waiting.shift();
    if (entry !== undefined) this.#underWay.add(entry);
    return entry;
  }

  /** Reads an entry that is only on disk. @throws Error if it cannot be read. */
  async load(entry: Entry): Promise<Batch> {
    if (entry.body === undefined) {
      const { segment } = entry.place!;
      const body = await segment.read(entry.place!);
      entry.body = body;
      this.#inMemory.set(entry.number, entry);
      this.account.spooled -= entry.count;
      this.account.shipping.queued += entry.count;
      this.account.queuedBytes += body.length;
    }
    return { body: entry.body, count: entry.count };
  }

  /** Removes an entry; the caller has to count its events as sent, failed or dropped. */
  settle(entry: Entry): void {
    this.#underWay.delete(entry);
    if (entry.body === undefined) {
      this.account.spooled -= entry.count;
    } else {
      this.#leaveMemory(entry, entry.body);
    }
    if (entry.place !== undefined) this.#done(entry.place);
  }

  /**
   * Puts an entry back in its place, only on disk. `rest` contains the events that are not settled. Returns
   * false if they cannot be written to disk; the entry then still counts as being sent.
   */
  giveBack(entry: Entry, rest: Batch): boolean {
    const isWhole = rest.count === entry.count && entry.place !== undefined;
    const place = isWhole ? entry.place : this.#write(rest, entry);
    if (place === undefined) return false;
    if (!isWhole && entry.place !== undefined) this.#done(entry.place);
    this.#underWay.delete(entry);
    this.#leaveMemory(entry, entry.body!);
    this.account.spooled += rest.count;
    this.#waiting.putBack(
      { ...entry, count: rest.count, body: undefined, place, isRetry: true },
      (other) => other.number > entry.number,
    );
    return true;
  }

  /** Empties the backlog: events on disk stay there, events that are only in memory are dropped. */
  close(): void {
    for (let entry = this.#waiting.shift(); entry !== undefined; entry = this.#waiting.shift()) {
      if (entry.body === undefined) continue;
      if (entry.place === undefined) {
        this.#leaveMemory(entry, entry.body);
        this.account.shipping.drop(entry.count, 'deadline');
      } else {
        this.#forget(entry);
      }
    }
    this.spool?.close();
  }

  /** Whether memory may have no room for another full batch. */
  #isCrowded(): boolean {
    const { queueSize, queueBytes, batchSize, batchBytes } = this.settings;
    const { queuedBytes } = this.account;
    const { queued } = this.account.shipping;
    return queued > queueSize - batchSize || queuedBytes > queueBytes - batchBytes;
  }

  /** Removes an entry from memory if it is also on disk. */
  #forget(entry: Entry): void {
    if (entry.place === undefined || entry.body === undefined) return;
    this.#leaveMemory(entry, entry.body);
    this.account.spooled += entry.count;
    entry.body = undefined;
  }

  #leaveMemory(entry: Entry, body: Buffer): void {
    this.#inMemory.delete(entry.number);
    this.account.shipping.queued -= entry.count;
    this.account.queuedBytes -= body.length;
    if (entry.place === undefined) this.#secured(entry.count, body);
  }

  /** Called for events that are no longer only in memory. */
  #secured(count: number, body: Buffer): void {
    this.account.volatile -= count;
    this.account.volatileBytes -= body.length;
  }

  #write(batch: Batch, origin: Origin, how: AppendOptions = {}): Place | undefined {
    try {
      const place = this.spool?.append(batch, origin, how);
      this.#diskRefuses = false;
      return place;
    } catch (error) {
      if (!this.#diskRefuses) this.onSpoolError(error);
      this.#diskRefuses = true;
      return undefined;
    }
  }

  #done(place: Place): void {
    try {
      this.spool?.done(place);
    } catch (error) {
      this.onSpoolError(error);
    }
  }
}
