import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { cerbos } from './cerbos.js';
import type { Peer } from './claim.js';
import { connect } from './connect.js';
import { nestGrpc } from './nest-grpc.js';
import { announced } from './announced.js';
import { observe } from './observe.js';
import { PACKAGES } from './peer-packages.js';
import { schedule } from './schedule.js';
import { terminus } from './terminus.js';

let failed = 0;
for (const peer of [schedule, terminus, nestGrpc, connect, observe, cerbos] satisfies Peer[]) {
  // Not every package exports its manifest.
  const manifest = readFileSync(`${PACKAGES}/${peer.name}/package.json`, 'utf8');
  const { version } = JSON.parse(manifest) as { readonly version: string };
  console.log(`${peer.name} ${version}`);
  for (const { says, expected, see } of peer.claims) {
    const seen = await see().catch((error: unknown) => `failed: ${String(error)}`);
    if (seen !== expected) failed += 1;
    console.log(
      seen === expected
        ? `ok      ${says}: ${seen}`
        : `FAILED  ${says}\n          expected ${expected}\n          saw      ${seen}`,
    );
  }
}
failed += await announced();
console.log(failed === 0 ? 'every claim holds' : `${failed} claims do not hold any more`);
process.exitCode = failed === 0 ? 0 : 1;
