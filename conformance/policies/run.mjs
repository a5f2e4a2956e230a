// Compares the matrix of the host page with what `apix-authz report` prints, over every method and role of the demo, and of
// Google's APIs and etcd with policies: `npm run conformance:policies`.
//   --quick  without Google's
import { join } from 'node:path';
import { bundle, bundlesOf, runBundled } from '../bundle.mjs';
import { installed } from '../installed.mjs';
import { etcdSet, googleSet } from '../proto-sets.mjs';

const here = import.meta.dirname;
const root = join(here, '../..');

installed(here);
if (!process.argv.includes('--quick')) process.env.GOOGLE_SET = googleSet(root);
process.env.ETCD_SET = etcdSet(root, join(here, 'node_modules/etcd3'));
process.env.APIX_AUTHZ = join(bundlesOf(here), 'apix-authz.mjs');
await bundle({
  entryPoints: [join(root, 'libs/authz/src/cli/main.ts')],
  outfile: process.env.APIX_AUTHZ,
});
await runBundled(here, ['main.ts']);
