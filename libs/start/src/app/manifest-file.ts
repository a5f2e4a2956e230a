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

/** The version of a package in node_modules. */
export function installedVersion(files: AppFiles, name: string): string | undefined {
  const text = files.text(`node_modules/${name}/package.json`);
  return text === undefined ? undefined : (JSON.parse(text) as { version: string }).version;
}

/** Writes package.json with the indentation that it has. */
export function writeManifest(files: AppFiles, manifest: Manifest, what: string): void {
  const text = files.text('package.json')!;
  const indent = /^\s+/m.exec(text.slice(1))?.[0].replaceAll('\n', '') ?? '  ';
  files.replace('package.json', `${JSON.stringify(manifest, null, indent)}\n`, what);
}
