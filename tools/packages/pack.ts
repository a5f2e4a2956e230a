import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** A tarball as npm makes it. */
export interface Packed {
  /** The path of the tarball. */
  readonly file: string;
  /** Paths inside of it. */
  readonly files: readonly string[];
  /** `sha512-…`, as the registry has it. */
  readonly integrity: string;
  /** Bytes of the tarball. */
  readonly size: number;
  /** Bytes of the files in it. */
  readonly unpackedSize: number;
}

interface Report {
  readonly filename: string;
  readonly integrity: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

/** Packs the package in `home` into the folder `into`, without its scripts. */
export function pack(home: string, into: string): Packed {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const args = ['pack', '--json', '--ignore-scripts', '--loglevel=error'];
  const output = execFileSync(npm, [...args, '--pack-destination', into], {
    cwd: home,
    encoding: 'utf8',
  });
  // npm 11 answers with a list, later versions with an object by name.
  const [report] = Object.values(JSON.parse(output) as Record<string, Report>);
  const { filename, files, integrity, size, unpackedSize } = report!;
  const paths = files.map(({ path }) => path);
  return { file: join(into, filename), files: paths, integrity, size, unpackedSize };
}
