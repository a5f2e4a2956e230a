// The part that all clients' processes have in common: they call when the parent says so.
import { CALLS, type Caller, type Measured } from './calls.ts';
import { underWay } from './under-way.ts';

/** What the parent asks for. */
export interface Order {
  readonly kind: string;
  /** Milliseconds of this process's CPU: as much work also where others want the machine. */
  readonly cpuMs: number;
}

/** What it gets. */
export interface Reading {
  /** Calls a second. */
  readonly rate: number;
  /** Microseconds of this process's CPU for a call. */
  readonly cpu: number;
}

/** Measures a client whenever the parent asks, and ends with it. */
export function calling(caller: Caller): void {
  process.on('message', ({ kind, cpuMs }: Order) => {
    void measure(caller, CALLS[kind], cpuMs).then((reading) => process.send!(reading));
  });
  process.on('disconnect', () => process.exit());
  process.send!('ready');
}

/** Milliseconds between two looks at the CPU used, which take up to 30 µs each. */
const LOOK_EVERY_MS = 5;

async function measure(caller: Caller, measured: Measured, cpuMs: number): Promise<Reading> {
  const begun = performance.now();
  const begunCpu = cpuUsed();
  let looked = begun;
  let isOver = false;
  const goesOn = (): boolean => {
    const now = performance.now();
    if (now - looked < LOOK_EVERY_MS) return !isOver;
    looked = now;
    isOver ||= cpuUsed() - begunCpu >= cpuMs * 1_000;
    return !isOver;
  };
  let count = 0;
  const lane = async (): Promise<void> => {
    const parent = underWay();
    while (goesOn()) {
      const answer = await measured.call(caller, parent);
      if (answer !== measured.expected) throw new Error(`unexpected answer: ${String(answer)}`);
      count++;
    }
  };
  await Promise.all(Array.from({ length: measured.atOnce }, lane));
  const seconds = (performance.now() - begun) / 1_000;
  return { rate: count / seconds, cpu: (cpuUsed() - begunCpu) / count };
}

/** Microseconds. */
function cpuUsed(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
