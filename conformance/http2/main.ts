import { parseArgs } from 'node:util';
import { runBatches } from './batches.js';
import { runClients } from './clients.js';
import { runHpack } from './hpack.js';
import { runNghttpd } from './nghttpd.js';
import { runStories } from './stories.js';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    sequences: { type: 'string' },
    from: { type: 'string', default: '0' },
    only: { type: 'string' },
  },
});
const { quick } = values;
const seed = Number(values.seed);
const count = Number(values.sequences ?? (quick ? 1_500 : 1_000_000));
const only = values.only === undefined ? undefined : Number(values.only);
const stories = process.env.HPACK_STORIES;

let mistakes = await runBatches({ seed, from: Number(values.from), count, only });
if (only === undefined) {
  mistakes += await runNghttpd(quick ? 200 : Math.ceil(count / 100), seed);
  mistakes += runHpack(quick ? 1_000 : 100_000, seed);
  if (stories === undefined)
    console.log('HPACK_STORIES names no checkout of http2jp/hpack-test-case');
  else mistakes += runStories(stories);
  mistakes += await runClients(quick ? 5_000 : 100_000);
}
console.log(mistakes === 0 ? 'all right' : `${mistakes} mistakes`);
if (mistakes > 0) process.exitCode = 1;
