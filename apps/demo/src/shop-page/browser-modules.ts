import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** What the page imports: a browser loads the modules that npm installed, and nothing is built for it. */
const PACKAGES = ['@bufbuild/protobuf', '@connectrpc/connect', '@connectrpc/connect-web'] as const;

/** A module of theirs; no part of a name has a dot, so that none leads out of the folder. */
const MODULE = new RegExp(`^(${PACKAGES.join('|')})/(dist/esm(?:/[\\w-]+)+\\.js)$`);

const { resolve } = createRequire(import.meta.url);

interface Manifest {
  readonly exports: Readonly<Record<string, { readonly import?: string }>>;
}

function folderOf(name: string): string {
  const entry = resolve(name);
  const folder = join('node_modules', ...name.split('/'));
  return entry.slice(0, entry.lastIndexOf(folder) + folder.length);
}

/** An import map: which path each import of these packages is loaded from, below a folder of the server. */
export function importMap(folder: string): string {
  const imports = PACKAGES.flatMap((name) => {
    const { exports } = JSON.parse(
      readFileSync(join(folderOf(name), 'package.json'), 'utf8'),
    ) as Manifest;
    return Object.entries(exports).flatMap(([path, { import: file }]) =>
      file === undefined
        ? []
        : [[name + path.slice(1), `${folder}/${name}/${file.slice('./'.length)}`] as const],
    );
  });
  return JSON.stringify({ imports: Object.fromEntries(imports) });
}

/** The text of a module by its path below that folder; undefined for what is none. */
export async function browserModule(path: string): Promise<string | undefined> {
  const [, name, file] = MODULE.exec(path) ?? [];
  if (name === undefined || file === undefined) return undefined;
  return readFile(join(folderOf(name), file), 'utf8').catch(() => undefined);
}
