// Compiles the schemas of every method of npm google-proto-files, and compares schemas of arguments with the codec over
// random documents: `npm run conformance:mcp-schema -- --cases 10000 --seed 1`.
//   --quick   one method in fifty, and fewer documents
import { join } from 'node:path';
import { runBundled } from '../bundle.mjs';
import { googleSet } from '../proto-sets.mjs';

const here = import.meta.dirname;

process.env.GOOGLE_SET = googleSet(join(here, '../..'));
await runBundled(here, ['main.ts']);
