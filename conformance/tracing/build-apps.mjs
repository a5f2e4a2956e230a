// Compiles app/ as an ES module that finds the packages of the repository, and as CommonJS that
// finds Nest 11.
import { transformFile } from '@swc/core';
import { execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NEST_11 } from '../floors/nest-sets.mjs';

const root = join(import.meta.dirname, '..', '..');
const cache = join(root, 'node_modules/.cache/apix-conformance/tracing-apps');

/** What of Nest the app imports. */
const NEST_OF_APP = ['bullmq', 'common', 'core', 'microservices', 'platform-express'];

/** Says what is to be started, by name: a folder with a front, a back and a worker. */
export async function buildApps(names) {
  const apps = [];
  for (const name of names) {
    const folder = name === 'cjs' ? await folderOfNest11() : join(cache, name);
    await compile(join(folder, 'dist'), name === 'cjs' ? 'commonjs' : 'es6');
    apps.push({ name, folder: join(folder, 'dist') });
  }
  return apps;
}

async function compile(into, type) {
  await rm(into, { recursive: true, force: true });
  const sources = [
    [join(import.meta.dirname, 'app'), into],
    [join(root, 'apps/demo/src/gen'), join(into, 'gen')],
  ];
  for (const [from, to] of sources) {
    for (const file of await readdir(from, { recursive: true })) {
      if (!file.endsWith('.ts')) continue;
      const { code } = await transformFile(join(from, file), {
        configFile: join(root, '.swcrc'),
        module: { type },
      });
      const out = join(to, file.replace(/\.ts$/, '.js'));
      await mkdir(dirname(out), { recursive: true });
      await writeFile(out, code);
    }
  }
  const manifest = { private: true, type: type === 'es6' ? 'module' : 'commonjs' };
  await writeFile(join(into, 'package.json'), JSON.stringify(manifest));
}

/** A folder outside of the repository, where @nestjs/* and who imports it are those of Nest 11. */
async function folderOfNest11() {
  const nest = Object.entries(NEST_11).filter(([name]) =>
    NEST_OF_APP.includes(name.replace('@nestjs/', '')),
  );
  const { devDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const dependencies = {
    ...Object.fromEntries(nest),
    bullmq: devDependencies.bullmq,
    'reflect-metadata': devDependencies['reflect-metadata'],
    rxjs: devDependencies.rxjs,
  };
  const manifest = JSON.stringify({ private: true, dependencies });
  // Of this clone alone: what is linked into it leads here.
  const key = createHash('sha256').update(root).update(manifest).digest('hex').slice(0, 12);
  const folder = join(process.env.XDG_CACHE_HOME ?? '/tmp', `apix-tracing-nest11-${key}`);
  if (!existsSync(join(folder, 'installed'))) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), manifest);
    const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
    execFileSync('npm', [...args, '--legacy-peer-deps'], { cwd: folder, stdio: 'inherit' });
    await writeFile(join(folder, 'installed'), '');
  }
  await linkOthers(folder);
  await copyOwn(folder);
  return folder;
}

/** Packages that know nothing of Nest are those of the repository. */
async function linkOthers(folder) {
  const to = join(folder, 'node_modules');
  const linked = async (name) => {
    const link = join(to, name);
    if (existsSync(link)) return;
    // A link whose package is gone does not exist for `existsSync`, and is in the way all the same.
    await rm(link, { force: true });
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(root, 'node_modules', name), link, 'junction');
  };
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (name.startsWith('.') || name === '@apix' || name === '@nestjs') continue;
    if (!name.startsWith('@')) await linked(name);
    else
      for (const it of await readdir(join(root, 'node_modules', name)))
        await linked(`${name}/${it}`);
  }
}

/** Copies: a link would lead to the Nest beside the repository. */
async function copyOwn(folder) {
  await rm(join(folder, 'node_modules/@apix'), { recursive: true, force: true });
  for (const name of await readdir(join(root, 'libs'))) {
    for (const part of ['package.json', 'dist']) {
      const from = join(root, 'libs', name, part);
      if (!existsSync(from)) continue;
      await cp(from, join(folder, 'node_modules/@apix', name, part), { recursive: true });
    }
  }
}
