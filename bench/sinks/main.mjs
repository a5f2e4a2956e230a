// Compares ways of shipping log events: `npm --prefix bench run sinks [rounds]`. Runs the parts
// that are there: elastic.mjs and otel.mjs.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROUNDS = Number(process.argv[2] ?? 5);

for (const part of ['elastic', 'otel']) {
  const file = new URL(`${part}.mjs`, import.meta.url);
  if (!existsSync(fileURLToPath(file))) continue;
  const { main } = await import(file.href);
  await main(ROUNDS);
}
