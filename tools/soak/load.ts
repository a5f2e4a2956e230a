/** One kind of request: resolves when it was answered as it should be, and rejects otherwise. */
export interface Kind {
  readonly name: string;
  /** How many of a round's requests are of this kind. */
  readonly share: number;
  /** Whether it waits for what other requests do, and so cannot go on once they have stopped. */
  readonly waits?: boolean;
  request(signal: AbortSignal): Promise<void>;
}

const TICK_MS = 20;
/** A request that takes longer counts as an error. */
const LIMIT_MS = 30_000;
/** More are not begun: a shop that hangs would otherwise be told so by this process's memory. */
const MAX_UNDER_WAY = 500;

/** So many requests a second, of each kind by its share, whatever the answers take. */
export class Load {
  answered = 0;
  /** Requests that were not begun, because too many were under way. */
  skipped = 0;
  readonly byKind = new Map<string, number>();
  /** What went wrong, with how often. */
  readonly errors = new Map<string, number>();
  readonly #round: readonly Kind[];
  readonly #underWay = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #next = 0;
  #debt = 0;
  #last = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    kinds: readonly Kind[],
    private readonly perSecond: number,
  ) {
    this.#round = interleaved(kinds);
  }

  start(): void {
    this.#last = performance.now();
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  /** Begins no more, and resolves when those under way have ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await Promise.all(this.#underWay);
  }

  #tick(): void {
    const now = performance.now();
    // What a busy machine has kept from being sent is not made up for in one go.
    this.#debt += Math.min((now - this.#last) / 1_000, 1) * this.perSecond;
    this.#last = now;
    for (; this.#debt >= 1; this.#debt--) {
      const kind = this.#round[this.#next++ % this.#round.length]!;
      if (this.#underWay.size >= MAX_UNDER_WAY) this.skipped++;
      else this.#begin(kind);
    }
  }

  #begin(kind: Kind): void {
    const request = this.#send(kind);
    this.#underWay.add(request);
    void request.finally(() => this.#underWay.delete(request));
  }

  async #send(kind: Kind): Promise<void> {
    const { name, waits = false } = kind;
    const limit = AbortSignal.timeout(LIMIT_MS);
    try {
      await kind.request(waits ? AbortSignal.any([limit, this.#stopping.signal]) : limit);
      this.answered++;
      this.byKind.set(name, (this.byKind.get(name) ?? 0) + 1);
    } catch (error) {
      if (waits && this.#stopping.signal.aborted) return;
      const what = `${name}: ${error instanceof Error ? error.message : String(error)}`;
      this.errors.set(what, (this.errors.get(what) ?? 0) + 1);
    }
  }
}

/** A round in which the requests of a kind are apart from each other. */
function interleaved(kinds: readonly Kind[]): readonly Kind[] {
  return kinds
    .flatMap((kind) =>
      Array.from({ length: kind.share }, (_, at) => ({ kind, place: (at + 0.5) / kind.share })),
    )
    .toSorted((a, b) => a.place - b.place)
    .map(({ kind }) => kind);
}
