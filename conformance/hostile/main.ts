import { parseArgs } from 'node:util';
import { judge } from './judge.js';
import { rows } from './rows.js';
import { Site } from './site.js';
import { warmUp } from './warm-up.js';

const USAGE = `Attacks every entry point of an app, as strangers would. Loopback only.

  --only <text>  only rows with this in their name
  --stack <name> what the gRPC servers run on: grpc-js or http2; default: grpc-js
  --open         lets every call through, to see that the bed notices
`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    stack: { type: 'string', default: 'grpc-js' },
    open: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}

const { open } = values;
const stack = values.stack === 'http2' ? 'http2' : 'grpc-js';
if (stack !== values.stack) throw new Error(`--stack: no ${values.stack}; grpc-js or http2`);
const site = await Site.start({ open, stack }, warmUp);
const begun = performance.now();
const failed: string[] = [];
let passed = 0;
try {
  for (const row of rows) {
    for (const door of row.doors) {
      const name = `${door}: ${row.name}`;
      if (!name.includes(values.only)) continue;
      const { problems, came, seconds, slowestMs, heldMs, grownMb } = await judge(site, row, door);
      const figures = `${seconds.toFixed(1)} s, second caller ${slowestMs.toFixed(0)} ms, loop ${heldMs.toFixed(0)} ms, +${grownMb.toFixed(0)} MB`;
      const verdict = problems.length === 0 ? 'ok    ' : 'FAILED';
      console.log(`${verdict} ${name}: ${came} (${figures})`);
      for (const problem of problems) console.log(`       ${problem}`);
      if (problems.length === 0) passed += 1;
      else failed.push(`${name}\n    ${problems.join('\n    ')}`);
    }
  }
} finally {
  await site.stop();
}
const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
if (failed.length > 0) console.log(`\nfailed:\n${failed.map((one) => `  ${one}`).join('\n')}`);
console.log(
  `\n${passed} checks passed${failed.length > 0 ? `, ${failed.length} failed` : ''} in ${seconds} s`,
);
process.exit(failed.length === 0 && passed > 0 ? 0 : 1);
