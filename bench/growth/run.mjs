// One subject at one size: `node run.mjs <bundle> <name> <size> <rounds>` prints microseconds of CPU.
const [entry, name, size, rounds] = process.argv.slice(2);
const { subjects } = await import(entry);
const samples = [];
const begun = performance.now();
// The first warms up; what takes seconds is not repeated.
for (let round = 0; round <= Number(rounds); round++) {
  const cost = await subjects[name](Number(size));
  if (round > 0 || performance.now() - begun > 2_000) samples.push(cost);
  if (performance.now() - begun > 4_000) break;
}
samples.sort((a, b) => a - b);
process.stdout.write(String(samples[Math.floor(samples.length / 2)]), () => process.exit(0));
