import { openSync, readSync } from 'node:fs';
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
  /** The longest time for which the process itself held the loop since then, in milliseconds. */
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
  const loop = new HeldLoop();
  const look = (): void => {
    peakRss = Math.max(peakRss, process.memoryUsage.rss());
    loop.look();
  };
  setInterval(look, LOOK_MS).unref();
  process.on('message', () => void answer());
  process.on('disconnect', () => process.exit());

  async function answer(): Promise<void> {
    look();
    const { heldMs } = loop;
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
    setImmediate(() => loop.reset());
  }
}

/**
 * For how long the loop is held, seen by looks that should be {@link LOOK_MS} apart: no longer than the main thread ran
 * meanwhile. Time in which it waits for a processor, or for a thread of the collector that has none, because other
 * processes have them all, is not time for which anything here held it.
 */
class HeldLoop {
  heldMs = 0;
  #looked = performance.now();
  #ran = ranMs();

  look(): void {
    const [looked, ran] = [performance.now(), ranMs()];
    const held = Math.min(looked - this.#looked - LOOK_MS, ran - this.#ran);
    this.heldMs = Math.max(this.heldMs, held);
    this.#looked = looked;
    this.#ran = ran;
  }

  reset(): void {
    this.look();
    this.heldMs = 0;
  }
}

/** Of the main thread. */
const SCHEDULING = '/proc/self/schedstat';
const scheduling = openScheduling();
const line = Buffer.alloc(100);

function openScheduling(): number | undefined {
  try {
    return openSync(SCHEDULING, 'r');
  } catch {
    return undefined;
  }
}

/** How long the main thread has run so far (Documentation/scheduler/sched-stats); elsewhere than on Linux, the time. */
function ranMs(): number {
  if (scheduling === undefined) return performance.now();
  const length = readSync(scheduling, line, 0, line.length, 0);
  const [ran = '0'] = line.toString('latin1', 0, length).split(' ');
  return Number(ran) / 1e6;
}

const BORN = new Set(Reflect.ownKeys(Object.prototype).map(String));
