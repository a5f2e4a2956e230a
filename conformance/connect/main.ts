import { parseArgs } from 'node:util';
import { runCases } from './cases.js';
import { testChromium } from './clients/chromium.js';
import { testConnectNode } from './clients/connect-node.js';
import { testGrpcJs } from './clients/grpc-js.js';
import { testPrograms } from './clients/programs.js';
import { SEED, compareServers } from './differential/compare.js';
import { startApix } from './servers/apix.js';
import { startConnectNode } from './servers/connect-node.js';
import { SERVER_LIMIT, readSuites } from './suite/expand.js';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    name: { type: 'string' },
    seed: { type: 'string', default: String(SEED) },
    break: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const suites = readSuites(process.env['CONNECT_SUITE']!);
const begun = performance.now();
const asked = {
  step: values.quick ? 17 : 1,
  ...(values.name !== undefined && { name: values.name }),
};
const wrong: string[] = [];
const reference = await startConnectNode((payload) =>
  values.break ? { ...payload, data: Buffer.from('broken') } : payload,
);
const ours = await startApix(SERVER_LIMIT);
const inFront = await startApix(SERVER_LIMIT, 'network');
const isAsked = (part: string): boolean => values.only === undefined || values.only === part;
if (isAsked('reference')) wrong.push(...(await runCases(reference, suites, asked)));
if (isAsked('cases')) {
  for (const server of [ours, inFront]) {
    wrong.push(...(await runCases(server, suites, asked)));
    wrong.push(...(await runCases(server, suites, { ...asked, isText: true })));
  }
}
if (isAsked('differential')) {
  wrong.push(...(await compareServers(reference, ours, Number(values.seed))));
}
if (isAsked('clients')) {
  const roomy = await startApix(4 * 2 ** 20);
  await testConnectNode(roomy.ports);
  await testGrpcJs(roomy.ports);
  if (!values.quick) {
    await testPrograms(roomy.ports);
    await testChromium();
  }
  await roomy.close();
}
for (const line of wrong) console.log(`FAILED ${line}`);
await reference.close();
await ours.close();
await inFront.close();
console.log(`${((performance.now() - begun) / 1000).toFixed(0)} s`);
process.exitCode = wrong.length > 0 ? 1 : 0;
