// "Ask the shop": the official inspector of the Model Context Protocol, by its command line, asks the demo for its tools
// and calls them as several callers, by both revisions: `npm run conformance:inspector`. It needs Node 22.19 or later
// and runs on Node 24, which is installed from npm.
import { join } from 'node:path';
import { buildDemo, runBundled } from '../bundle.mjs';
import { installed } from '../installed.mjs';
import { node24 } from '../node24.mjs';

const here = import.meta.dirname;
installed(here);
const clients = join(here, 'node_modules/@modelcontextprotocol/inspector/clients');
process.env.MCP_INSPECTOR = join(clients, 'launcher/build/index.js');
process.env.MCP_NODE = node24();
buildDemo();
await runBundled(here, ['main.ts']);
