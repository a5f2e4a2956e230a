// The gateway as its users get it: from packed packages, in empty folders.
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startRegistry } from '../packages/registry.mjs';
import { installArguments } from './container-file.mjs';

const run = promisify(execFile);

/**
 * Serves the packages and installs the gateway as the container file has it.
 *
 * @returns where it is installed, and an empty folder with the environment in which npx finds it.
 */
export async function installGateway() {
  const registry = await startRegistry();
  const folder = mkdtempSync(join(tmpdir(), 'apix-gateway-server-'));
  const [installed, empty, cache] = ['installed', 'empty', 'cache'].map((it) => join(folder, it));
  const { npm_config_cache: _, ...others } = process.env;
  const shared = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim();
  for (const it of [installed, empty, cache]) mkdirSync(it);
  mkdirSync(join(shared, '_cacache'), { recursive: true });
  // What npx has installed before is not what is packed now; what it has downloaded before is.
  symlinkSync(join(shared, '_cacache'), join(cache, '_cacache'));
  const env = {
    ...others,
    NODE_OPTIONS: '',
    npm_config_cache: cache,
    npm_config_prefer_offline: 'true',
    // npx takes the .npmrc of the nearest folder above that has a package.json, if there is one.
    npm_config_userconfig: join(empty, '.npmrc'),
  };
  for (const it of [installed, empty]) writeFileSync(join(it, '.npmrc'), registry.npmrc);
  writeFileSync(join(installed, 'package.json'), '{"private":true}');
  await run('npm', [...installArguments(), '--loglevel=error'], { cwd: installed, env });
  return {
    installed,
    empty,
    env,
    remove: () => {
      registry.close();
      rmSync(folder, { recursive: true });
    },
  };
}
