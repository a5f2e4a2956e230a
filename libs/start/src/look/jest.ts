import type { AppFacts } from '../app/app-facts.js';
import type { AppFiles } from '../app/app-files.js';
import { installedVersion, readManifest, writeManifest } from '../app/manifest-file.js';
import { mayOverlap } from '../app/version-range.js';

/** A configuration of Jest, as far as it is read. */
interface JestConfig {
  readonly transform?: Readonly<Record<string, unknown>>;
  readonly transformIgnorePatterns?: readonly string[];
  readonly extensionsToTreatAsEsm?: readonly string[];
}

const OPTION = 'transformIgnorePatterns';

/**
 * Makes Jest compile the packages, which are ES modules, as it compiles the sources of the app: before Node 24.9
 * Jest loads them in no other way from CommonJS.
 */
export function letJestLoadPackages(files: AppFiles, facts: AppFacts): void {
  if (!Object.hasOwn(facts.packages, 'jest')) return;
  const pattern = `/node_modules/(?!${facts.packageManager === 'pnpm' ? '\\.pnpm/|' : ''}@apix/|jose/)`;
  const manifest = readManifest(files);
  if (
    manifest.jest !== undefined &&
    needsPattern(files, 'package.json: jest', manifest.jest, pattern)
  ) {
    const jest = { ...manifest.jest, [OPTION]: [pattern] };
    writeManifest(files, { ...manifest, jest }, `jest.${OPTION}`);
  }
  const paths = configsOf(files, manifest.scripts ?? {});
  const texts = [JSON.stringify(manifest.jest ?? {}), ...paths.map((path) => files.text(path)!)];
  if (!texts.some((text) => text.includes('extensionsToTreatAsEsm'))) noteOldTsJest(files, facts);
  for (const path of paths) {
    const text = files.text(path)!;
    const config = path.endsWith('.json') ? parsed(text) : undefined;
    if (config === undefined) {
      if (!/@apix|extensionsToTreatAsEsm/.test(text)) files.left.push(byHand(path, pattern));
    } else if (needsPattern(files, path, config, pattern)) {
      files.replace(path, withOption(text, pattern), OPTION);
    }
  }
}

/** Those at their usual places, and those that a script names. */
function configsOf(files: AppFiles, scripts: Readonly<Record<string, string>>): string[] {
  const named = Object.values(scripts)
    .filter((script) => /\bjest\b/.test(script))
    .flatMap((script) => [...script.matchAll(/(?:--config|-c)[= ]["']?(?:\.\/)?([^\s"']+)/g)])
    .map(([, path]) => path!);
  const usual = ['ts', 'js', 'cjs', 'mjs', 'json'].map((ending) => `jest.config.${ending}`);
  return [...new Set([...usual, 'test/jest-e2e.json', ...named])].filter((path) =>
    files.exists(path),
  );
}

/** Undefined if the file has comments, which Jest takes. */
function parsed(text: string): JestConfig | undefined {
  try {
    return JSON.parse(text) as JestConfig;
  } catch {
    return undefined;
  }
}

/** Whether the option has to be added; what is not understood is left to be done by hand. */
function needsPattern(
  files: AppFiles,
  place: string,
  config: JestConfig,
  pattern: string,
): boolean {
  const { transform, transformIgnorePatterns: ignored, extensionsToTreatAsEsm: esm } = config;
  if (esm !== undefined || ignored?.some((each) => each.includes('@apix'))) return false;
  const compilesJs = Object.keys(transform ?? {}).some((key) => new RegExp(key).test('/a/b.js'));
  if (ignored === undefined && compilesJs) return true;
  files.left.push(byHand(place, pattern));
  return false;
}

function byHand(place: string, pattern: string): string {
  return `${place}: before Node 24.9 Jest has to compile the packages, which are ES modules: "${OPTION}": [${JSON.stringify(pattern)}], and a "transform" that takes .js files too`;
}

/** The text with the option as its last one; the rest keeps its format. */
function withOption(text: string, pattern: string): string {
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  const line = `,\n${indent}"${OPTION}": [${JSON.stringify(pattern)}]\n}`;
  return text.replace(/,?\s*\}\s*$/, () => `${line}\n`);
}

/** The versions that compile .js files of packages whatever the compiler's options are. */
const COMPILES_JS = '^29.3.2';

/** Says what to do about a version of ts-jest that leaves .js files as they are. */
function noteOldTsJest(files: AppFiles, { packages }: AppFacts): void {
  const version = installedVersion(files, 'ts-jest') ?? packages['ts-jest'];
  if (version === undefined || mayOverlap(version, COMPILES_JS)) return;
  if (/"allowJs"\s*:\s*true/.test(files.text('tsconfig.json') ?? '')) return;
  files.left.push(
    `package.json: before Node 24.9 Jest has to compile the packages, which ts-jest ${version} does not: update ts-jest to ${COMPILES_JS}, or set "allowJs" in tsconfig.json`,
  );
}
