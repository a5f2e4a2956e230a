import { parseArgs } from 'node:util';
import { runCases } from './cases.js';
import { startConnectNode } from './servers/connect-node.js';
import { readSuites } from './suite/expand.js';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    name: { type: 'string' },
    break: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const suites = readSuites(process.env['CONNECT_SUITE']!);
const begun = performance.now();
const asked = {
  step: values.quick ? 11 : 1,
  ...(values.name !== undefined && { name: values.name }),
};
const reference = await startConnectNode((payload) =>
  values.break ? { ...payload, data: Buffer.from('broken') } : payload,
);
const wrong = await runCases(reference, suites, [], asked);
for (const line of wrong.slice(0, 400)) console.log(`FAILED ${line}`);
await reference.close();
console.log(`${((performance.now() - begun) / 1000).toFixed(0)} s`);
process.exitCode = wrong.length > 0 ? 1 : 0;
