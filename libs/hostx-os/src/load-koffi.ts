import { createRequire } from 'node:module';

type Koffi = typeof import('koffi');

const require = createRequire(import.meta.url);

/** Loaded where the operating system is really asked: most processes never need it. */
export function loadKoffi(): Koffi {
  return require('koffi') as Koffi;
}
