import { readFile, readdir } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { Environment } from '../environment.js';
import { thrownText } from '@apix/contracts';
import { readDocument } from './document.js';
import type { Layer } from './layer.js';

const EXTENSIONS = ['.yaml', '.yml', '.json'];

/** The files that are read if no file is named. */
const DEFAULT_FILE = 'config';

/**
 * The base file and the file of the environment, `config.yaml` and `config.production.yaml`,
 * in the order in which they are laid over each other. The base file has to exist if it was
 * named; the one of the environment never has to.
 */
export async function readConfigFiles(
  file: string | undefined,
  environment: Environment,
  mistakes: string[],
): Promise<Layer[]> {
  const named = file ?? DEFAULT_FILE;
  const extension = EXTENSIONS.find((one) => extname(named) === one);
  const folder = dirname(named);
  const stem = basename(named, extension ?? '');
  const names = await namesIn(folder);
  // Compared with the files that exist, so that the environment's name cannot lead elsewhere.
  const find = (wanted: string, extensions: readonly string[]): string[] =>
    names.filter((name) =>
      extensions.some((one) => name.toLowerCase() === `${wanted}${one}`.toLowerCase()),
    );
  const bases = find(stem, extension === undefined ? EXTENSIONS : [extension]);
  const own = find(`${stem}.${environment.name}`, EXTENSIONS);

  const layers: Layer[] = [];
  if (bases.length === 0 && file !== undefined) {
    mistakes.push(`${file}: this file does not exist`);
    layers.push(lostLayer(file));
  }
  for (const found of [bases, own]) {
    if (found.length > 1) {
      mistakes.push(`${folder}: ${found.join(' and ')} are the same layer; keep one of them`);
      layers.push(lostLayer(join(folder, found[0]!)));
    } else if (found.length === 1) {
      layers.push(await read(join(folder, found[0]!), mistakes));
    }
  }
  return layers;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}

async function read(path: string, mistakes: string[]): Promise<Layer> {
  try {
    const layer = await readDocument(await readFile(path, 'utf8'), path, mistakes);
    return layer ?? lostLayer(path);
  } catch (error) {
    mistakes.push(`${path}: ${thrownText(error)}`);
    return lostLayer(path);
  }
}

function lostLayer(name: string): Layer {
  return { name, tree: {}, isLost: true, at: () => name };
}
