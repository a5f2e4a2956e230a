// Looks at the site in Debian's Chromium: `npm run site:check`, which builds it twice below a path, once
// as an earlier version. With `-- --quick` it looks at some pages of the site that is built already; with
// `-- --screenshots` it renews those of docs/images.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { runBundled } from '../bundle.mjs';
import { installChromium } from '../chromium.mjs';

const build = (...options) =>
  execFileSync(process.execPath, ['tools/run.mjs', 'site', ...options], { stdio: 'inherit' });

installChromium();
if (!process.argv.includes('--quick')) {
  build('--base', '/apix/v0.0.1/', '--out', 'coverage/site-v0.0.1');
  build('--base', '/apix/');
}
await runBundled(fileURLToPath(new URL('.', import.meta.url)), ['main.ts']);
