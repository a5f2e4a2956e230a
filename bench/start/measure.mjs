// Imports one entry point on top of its peers, in a process of its own, and prints what that added:
// `node --expose-gc bench/start/measure.mjs ENTRY PEER...`, all of them URLs.
const MEGABYTE = 1024 * 1024;
const [entry, ...peers] = process.argv.slice(2);
for (const peer of peers) await import(peer);
const before = memory();
const cpu = process.cpuUsage();
const begun = performance.now();
await import(entry);
const ms = performance.now() - begun;
const { user, system } = process.cpuUsage(cpu);
const after = memory();
process.stdout.write(
  JSON.stringify({
    ms,
    cpuMs: (user + system) / 1_000,
    heap: (after.heap - before.heap) / MEGABYTE,
    rss: (after.rss - before.rss) / MEGABYTE,
  }),
);
process.exit(0);

/** What is kept; a second collection takes what the first one's finalizers let go. */
function memory() {
  globalThis.gc();
  globalThis.gc();
  return { heap: process.memoryUsage().heapUsed, rss: process.memoryUsage.rss() };
}
