import type { LogRow, Numbered } from '../section-views.js';

/** How many events, and of their texts together how many UTF-16 units. */
const MOST_EVENTS = 1_000;
const MOST_COST = 1_000_000;
/** How much is left when something had to go, so that this is rare. */
const SHARE_LEFT = 0.75;
/** The latest events stay: the traces that they belong to may not have ended. */
const YOUNG = 250;

/**
 * What tells why traces failed, longer than other events are kept: when there is no more room, first the events go whose
 * trace is not kept, then the oldest.
 */
// Why: docs/decisions/0564
export class KeptEvents {
  #events: Numbered<LogRow>[] = [];
  #cost = 0;
  #lostAt = -Infinity;

  /** @param keptTraces the trace ids of the traces that are kept now. */
  constructor(private readonly keptTraces: () => ReadonlySet<string>) {}

  get all(): readonly Numbered<LogRow>[] {
    return this.#events;
  }

  /** When the latest event was logged that went although its trace was kept; in milliseconds since the epoch. */
  get lostAt(): number {
    return this.#lostAt;
  }

  add(event: Numbered<LogRow>): void {
    this.#events.push(event);
    this.#cost += costOf(event);
    if (this.#events.length > MOST_EVENTS || this.#cost > MOST_COST) this.#makeRoom();
  }

  #makeRoom(): void {
    const kept = this.keptTraces();
    const wanted = [
      ...this.#events.slice(0, -YOUNG).filter(({ traceId }) => kept.has(traceId)),
      ...this.#events.slice(-YOUNG),
    ];
    this.#cost = wanted.reduce((cost, event) => cost + costOf(event), 0);
    let from = 0;
    while (wanted.length - from > SHARE_LEFT * MOST_EVENTS || this.#cost > SHARE_LEFT * MOST_COST) {
      const lost = wanted[from]!;
      this.#cost -= costOf(lost);
      this.#lostAt = Math.max(this.#lostAt, lost.at);
      from += 1;
    }
    this.#events = wanted.slice(from);
  }
}

function costOf({ logger, message, error, requestId, traceId, fields }: LogRow): number {
  const texts = [logger, message, error ?? '', requestId, traceId, fields];
  return texts.reduce((cost, text) => cost + text.length, 0);
}
