import type { AppFiles } from './app-files.js';

/** The part of package.json that is read and changed. */
export interface Manifest {
  readonly type?: string;
  readonly packageManager?: string;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  jest?: object;
}

export function readManifest(files: AppFiles): Manifest {
  return JSON.parse(files.text('package.json') ?? '{}') as Manifest;
}

/** Writes package.json with the indentation that it has. */
export function writeManifest(files: AppFiles, manifest: Manifest, what: string): void {
  const text = files.text('package.json')!;
  const indent = /^\s+/m.exec(text.slice(1))?.[0].replaceAll('\n', '') ?? '  ';
  files.replace('package.json', `${JSON.stringify(manifest, null, indent)}\n`, what);
}
