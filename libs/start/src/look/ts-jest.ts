import type { AppFacts } from '../app/app-facts.js';
import type { AppFiles } from '../app/app-files.js';
import { installedVersion } from '../app/manifest-file.js';
import { mayMeet } from '../app/version-range.js';

/** The versions that compile .js files of packages whatever the compiler's options are. */
const COMPILES_JS = '^29.3.2';

/** Says what to do about a version of ts-jest that leaves .js files as they are. */
export function tellOldTsJest(files: AppFiles, { packages }: AppFacts): void {
  const version = installedVersion(files, 'ts-jest') ?? packages['ts-jest'];
  if (version === undefined || mayMeet(version, COMPILES_JS)) return;
  if (/"allowJs"\s*:\s*true/.test(files.text('tsconfig.json') ?? '')) return;
  files.left.push(
    `package.json: before Node 24.9 Jest has to compile the packages, which ts-jest ${version} does not: update ts-jest to ${COMPILES_JS}, or set "allowJs" in tsconfig.json`,
  );
}
