const MINUTE = 60_000;
const DAY = 1440;

/** A stretch of time in which a zone keeps its offset. All figures in minutes since the epoch. */
export interface Stretch {
  readonly from: number;
  /** The first minute that is not in it. */
  readonly to: number;
  /** How far local time is ahead of UTC. */
  readonly offset: number;
}

/** When a time zone changes its offset, read from the data of Node a year at a time. */
export class ZoneOffsets {
  static readonly #zones = new Map<string, ZoneOffsets>();
  readonly #years = new Map<number, readonly Stretch[]>();
  readonly #format: Intl.DateTimeFormat;

  private constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
  }

  /** @throws RangeError for a zone that Node does not know. */
  static of(timeZone: string): ZoneOffsets {
    let zone = ZoneOffsets.#zones.get(timeZone);
    if (zone === undefined) ZoneOffsets.#zones.set(timeZone, (zone = new ZoneOffsets(timeZone)));
    return zone;
  }

  /** The stretch that a minute lies in; it ends with the year, if not before. */
  stretchAt(minute: number): Stretch {
    const year = new Date(minute * MINUTE).getUTCFullYear();
    let stretches = this.#years.get(year);
    if (stretches === undefined) this.#years.set(year, (stretches = this.#read(year)));
    return stretches.findLast(({ from }) => from <= minute)!;
  }

  #read(year: number): readonly Stretch[] {
    const end = Date.UTC(year + 1, 0) / MINUTE;
    const stretches: Stretch[] = [];
    let from = Date.UTC(year, 0) / MINUTE;
    let offset = this.#offsetAt(from);
    for (let at = from; at < end;) {
      const next = Math.min(at + DAY, end);
      const there = this.#offsetAt(next - 1);
      if (there === offset) {
        at = next;
        continue;
      }
      const change = this.#changeIn(Math.max(from, at - 1), next - 1, offset);
      stretches.push({ from, to: change, offset });
      from = change;
      at = change;
      offset = this.#offsetAt(change);
    }
    return [...stretches, { from, to: end, offset }];
  }

  /** The first minute after `low`, up to `high`, at which the offset is another. */
  #changeIn(low: number, high: number, offset: number): number {
    let [same, other] = [low, high];
    while (other - same > 1) {
      const middle = Math.floor((same + other) / 2);
      if (this.#offsetAt(middle) === offset) same = middle;
      else other = middle;
    }
    return other;
  }

  #offsetAt(minute: number): number {
    // 11/21/2026, 09:05
    const [month, day, year, hour, minutes] = this.#format
      .format(minute * MINUTE)
      .split(/\D+/)
      .map(Number);
    return Date.UTC(year!, month! - 1, day, hour, minutes) / MINUTE - minute;
  }
}
