import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Bed } from './bed.js';
import { testContainer } from './parts/container.js';
import { testHostile } from './parts/hostile.js';
import { testLanguages } from './parts/languages.js';
import { testLifecycle } from './parts/lifecycle.js';
import { testNpx } from './parts/npx.js';
import { testPage } from './parts/page.js';
import { testPolicies } from './parts/policies.js';
import { testProtocols } from './parts/protocols.js';
import { testRest } from './parts/rest.js';
import { testStreams } from './parts/streams.js';
import { testTls } from './parts/tls.js';
import { testTraces } from './parts/traces.js';
import { openPlaces } from './places.js';

const PARTS = {
  npx: testNpx,
  rest: testRest,
  languages: testLanguages,
  streams: testStreams,
  page: testPage,
  tls: testTls,
  policies: testPolicies,
  protocols: testProtocols,
  lifecycle: testLifecycle,
  traces: testTraces,
  container: testContainer,
  hostile: testHostile,
};

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } });
const places = openPlaces();
try {
  for (const [name, test] of Object.entries(PARTS)) {
    if (values.only !== undefined && !values.only.includes(name)) continue;
    const begun = performance.now();
    console.log(`\n${name}`);
    const bed = new Bed(places);
    try {
      await test(bed);
    } finally {
      await bed.end();
    }
    console.log(`${name}: ${Math.round((performance.now() - begun) / 1_000)} s`);
  }
} finally {
  rmSync(places.folder, { recursive: true });
}
