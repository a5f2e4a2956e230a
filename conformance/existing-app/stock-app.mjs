import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shell } from './shell.mjs';
import { DEV_DEPENDENCIES, NEST, dependenciesOf } from './versions.mjs';

const sources = join(import.meta.dirname, 'app');
const QUIET = '--no-audit --no-fund --loglevel=error';

/**
 * An app as the Nest CLI makes it, with what a team has added to it since, in a folder outside of
 * the repository. Nothing of apix is in it, but npm would find our packages in `registry`.
 */
export async function createStockApp(registry, nest, platform) {
  const parent = await mkdtemp(join(tmpdir(), 'apix-existing-app-'));
  const folder = join(parent, 'shop');
  const remove = () => rm(parent, { recursive: true });
  try {
    await shell(
      parent,
      `npx --yes @nestjs/cli@${NEST[nest].cli} new shop --package-manager npm --skip-git </dev/null`,
    );
    await writeFile(join(folder, '.npmrc'), registry.npmrc);
    await shell(folder, `npm install ${QUIET} ${dependenciesOf(nest, platform).join(' ')}`);
    if (platform === 'fastify') await installFastify(folder);
    await shell(folder, `npm install ${QUIET} --save-dev ${DEV_DEPENDENCIES.join(' ')}`);
    for (const made of ['src', 'test/app.e2e-spec.ts']) {
      await rm(join(folder, made), { recursive: true });
    }
    for (const part of ['src', 'proto', 'test', join(platform, 'src')]) {
      await cp(join(sources, part), join(folder, part.replace(`${platform}/`, '')), {
        recursive: true,
      });
    }
    if (nest === '11') await withoutExtensions(folder);
    return { folder, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The release that Nest's adapter is pinned to: plugins would bring another one, of other types. */
async function installFastify(folder) {
  const adapter = join(folder, 'node_modules/@nestjs/platform-fastify/package.json');
  const { dependencies } = JSON.parse(await readFile(adapter, 'utf8'));
  await shell(folder, `npm install ${QUIET} fastify@${dependencies.fastify}`);
}

/** Apps of Nest 11 are CommonJS, and import files without their extension. */
async function withoutExtensions(folder) {
  for (const part of ['src', 'test']) {
    for (const file of await readdir(join(folder, part), { recursive: true })) {
      if (!file.endsWith('.ts')) continue;
      const path = join(folder, part, file);
      await writeFile(path, withoutExtension(await readFile(path, 'utf8')));
    }
  }
}

/** How an app of Nest 11 imports what is imported in `text`. */
export function withoutExtension(text) {
  return text.replaceAll(/(from '\.[^']*)\.js'/g, "$1'");
}
