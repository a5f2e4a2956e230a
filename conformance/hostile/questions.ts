import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { entered } from './handlers.js';
import type { WatchedSpans } from './watched-spans.js';

/** What a process under attack says of itself. */
export interface Condition {
  /** Heap and buffers after a collection, in bytes. */
  readonly inUse: number;
  readonly rss: number;
  /** The largest resident size since it was last asked. */
  readonly peakRss: number;
  /** The longest time for which the loop was held since then, in milliseconds. */
  readonly heldMs: number;
  /** How often a handler for keepers alone has run since the start. */
  readonly entered: number;
  /** What strangers have left on the prototype of every object. */
  readonly polluted: readonly string[];
  /** Spans that have begun and not ended. */
  readonly openSpans: number;
  /** What spans have had that none may have, since the start. */
  readonly spanFaults: readonly string[];
}

const LOOK_MS = 10;

/** Answers the bed's questions, for which it needs `--expose-gc`. */
export function answerQuestions(spans: WatchedSpans): void {
  let peakRss = 0;
  const look = (): void => {
    peakRss = Math.max(peakRss, process.memoryUsage.rss());
  };
  setInterval(look, LOOK_MS).unref();
  const delay = monitorEventLoopDelay({ resolution: LOOK_MS });
  delay.enable();
  process.on('message', () => void answer());
  process.on('disconnect', () => process.exit());

  async function answer(): Promise<void> {
    look();
    const heldMs = Math.max(0, delay.max / 1e6 - LOOK_MS);
    // What others have just let go of, a timer or a socket may still hold in this turn.
    await sleep(0);
    globalThis.gc!();
    const { heapUsed, external, rss } = process.memoryUsage();
    const condition: Condition = {
      inUse: heapUsed + external,
      rss,
      peakRss,
      heldMs,
      entered: entered.vault,
      polluted: Reflect.ownKeys(Object.prototype)
        .map(String)
        .filter((key) => !BORN.has(key)),
      openSpans: spans.open,
      spanFaults: spans.faults,
    };
    process.send!(condition);
    peakRss = rss;
    // After the collections, which hold the loop too.
    setImmediate(() => delay.reset());
  }
}

const BORN = new Set(Reflect.ownKeys(Object.prototype).map(String));
