// The official suite of the Model Context Protocol against an app with `McpModule`, both revisions:
// `npm run conformance:mcp`. It needs Node 22 or later and runs on Node 24, which is installed from npm.
//   --quick          the scenarios of each group that find most, in half a minute
//   --only <name>    scenarios with this in their names
import { join } from 'node:path';
import { runBundled } from '../bundle.mjs';
import { installed } from '../installed.mjs';
import { node24 } from '../node24.mjs';

const here = import.meta.dirname;
installed(here);
process.env.MCP_SUITE = join(here, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
process.env.MCP_NODE = node24();
await runBundled(here, ['main.ts']);
