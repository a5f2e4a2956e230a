/** The CPU time of some work in milliseconds: the shortest of three, since the first is not compiled yet, and other processes disturb. */
export function cpuTimeOf(work: () => unknown): number {
  const times = [1, 2, 3].map(() => {
    const begun = process.cpuUsage();
    work();
    return process.cpuUsage(begun).user / 1_000;
  });
  return Math.min(...times);
}
