// Imports one entry point on top of its peers, in a process of its own, and prints what that added.
// Its text is run by `node --expose-gc --input-type=module -e`, so that the names of its arguments,
// NOTHING ENTRY PEER..., are found from the folder that it runs in.
const MEGABYTE = 1024 * 1024;
const [, nothing, entry, ...peers] = process.argv;
// The first file that a process imports starts Node's loader, which is nobody's.
await import(nothing);
for (const peer of peers) await import(peer);
const before = memory();
const cpu = process.cpuUsage();
const begun = performance.now();
await import(entry);
const ms = performance.now() - begun;
const { user, system } = process.cpuUsage(cpu);
const after = memory();
const result = {
  ms,
  cpuMs: (user + system) / 1_000,
  heap: (after.heap - before.heap) / MEGABYTE,
  rss: (after.rss - before.rss) / MEGABYTE,
};
process.stdout.write(JSON.stringify(result), () => process.exit(0));

/** What is kept; a second collection takes what the first one's finalizers let go. */
function memory() {
  globalThis.gc();
  globalThis.gc();
  return { heap: process.memoryUsage().heapUsed, rss: process.memoryUsage.rss() };
}
