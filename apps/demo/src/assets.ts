import { fileURLToPath } from 'node:url';
import { setting } from './settings.js';

/** A file of apps/demo, found from the sources and from where `nest start` puts what it makes. */
export function assetPath(path: string): string {
  const here = import.meta.url;
  const home = here.includes('/dist/') ? '../../../../apps/demo/' : '../';
  return fileURLToPath(new URL(home + path, here));
}

/** Where the embedded database and the lock live. */
export function dataFolder(): string {
  return setting('DATA_DIR') ?? 'data/shop';
}
