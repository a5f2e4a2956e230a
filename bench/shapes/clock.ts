/** The middle one of some values. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

/** Microseconds of CPU that a run takes, of as many runs as fill the time given. */
export function timed(run: () => unknown, milliseconds: number): number {
  const begun = process.cpuUsage();
  const end = performance.now() + milliseconds;
  let runs = 0;
  let step = 1;
  do {
    for (let i = 0; i < step; i++) kept = run();
    runs += step;
    // The clock is asked ever less often of what takes next to no time.
    if (step < 64) step *= 2;
  } while (performance.now() < end);
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / runs;
}

/** What ran last, so that no compiler leaves it out. */
let kept: unknown;
export const last = (): unknown => kept;
