// Compiles and routes every google.api.http rule of npm google-proto-files: `npm run conformance:rules`.
import { join } from 'node:path';
import { runBundled } from '../bundle.mjs';
import { googleSet } from '../proto-sets.mjs';

const here = import.meta.dirname;

process.env.GOOGLE_SET = googleSet(join(here, '../..'));
await runBundled(here, ['main.ts']);
