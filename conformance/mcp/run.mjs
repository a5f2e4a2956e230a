// The official suite of the Model Context Protocol against an app with `McpModule`, both revisions:
// `npm run conformance:mcp`. It needs Node 22 or later and runs on Node 24, which is installed from npm.
//   --quick          the scenarios of each group that find most, in half a minute
//   --only <name>    scenarios with this in their names
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runBundled } from '../bundle.mjs';
import { installed } from '../installed.mjs';

const here = import.meta.dirname;
installed(here);
process.env.MCP_SUITE = join(here, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
process.env.MCP_NODE = node24();
await runBundled(here, ['main.ts']);

/** As `npm run test:nodes` has it. */
function node24() {
  const folder = join(here, '../../node_modules/.cache/apix-nodes/24');
  const name = `node-${process.platform}-${process.arch}`;
  const bin = join(folder, 'node_modules', name, 'bin/node');
  if (existsSync(bin)) return bin;
  mkdirSync(folder, { recursive: true });
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', folder];
  execFileSync('npm', [...args, `${name}@24`], { cwd: folder, stdio: 'inherit' });
  return bin;
}
