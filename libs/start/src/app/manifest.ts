import type { AppFacts } from './app-facts.js';
import type { AppFiles } from './app-files.js';

/** The packages of this repository that a service needs; all have one version. */
const OURS = ['authz', 'contracts', 'gateway', 'grpc', 'hostx', 'logx', 'proto'];

const PEERS = {
  '@bufbuild/protobuf': '^2.17.0',
  '@grpc/grpc-js': '^1.14.6',
  jose: '^6.0.0',
};

const TOOLS = {
  '@bufbuild/buf': '^1.70.0',
  '@bufbuild/protoc-gen-es': '^2.17.0',
  // Contains google/api, which buf.yaml uses. pnpm puts only named packages where buf finds them.
  protobufjs: '^7.5.0',
};

/** Compiles the .proto files into the descriptors that the app loads, and into its types. */
export const PROTO_SCRIPT =
  'buf build proto --as-file-descriptor-set -o gen/api.binpb && buf generate proto';

/** Scripts of an app that need the compiled .proto files. */
const BEFORE = ['build', 'start', 'start:debug', 'start:dev', 'test', 'test:e2e'];

interface Manifest {
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/**
 * Adds packages and scripts to package.json; changes no existing one.
 *
 * @param version the version of the `@apix` packages.
 * @returns whether packages have to be installed.
 */
export function changeManifest(files: AppFiles, facts: AppFacts, version: string): boolean {
  const text = files.text('package.json')!;
  const manifest = JSON.parse(text) as Manifest;
  const before = dependenciesOf(manifest);
  const { dependencies = {}, devDependencies = {}, scripts = {} } = manifest;
  addMissing(dependencies, before, {
    ...Object.fromEntries(OURS.map((name) => [`@apix/${name}`, version])),
    ...PEERS,
    '@nestjs/microservices': facts.nestMajor === 11 ? '^11.1.4' : '^12.0.4',
  });
  addMissing(devDependencies, before, TOOLS);
  moveToTools(dependencies, devDependencies);
  addScripts(scripts, files, facts);
  const changed = {
    ...manifest,
    scripts,
    dependencies: sorted(dependencies),
    devDependencies: sorted(devDependencies),
  };
  const indent = /^\s+/m.exec(text.slice(1))?.[0].replaceAll('\n', '') ?? '  ';
  files.replace('package.json', `${JSON.stringify(changed, null, indent)}\n`);
  return Object.keys(dependenciesOf(changed)).some((name) => !Object.hasOwn(before, name));
}

function dependenciesOf(manifest: Manifest): Record<string, string> {
  return { ...manifest.devDependencies, ...manifest.dependencies };
}

function addMissing(
  to: Record<string, string>,
  known: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string>>,
): void {
  for (const [name, range] of Object.entries(wanted)) {
    if (!Object.hasOwn(known, name)) to[name] = range;
  }
}

/** `nest add` makes this package a runtime dependency, which it is not. */
function moveToTools(dependencies: Record<string, string>, tools: Record<string, string>): void {
  const own = dependencies['@apix/start'];
  if (own === undefined) return;
  delete dependencies['@apix/start'];
  tools['@apix/start'] ??= own;
}

function addScripts(scripts: Record<string, string>, files: AppFiles, facts: AppFacts): void {
  const run = facts.packageManager === 'npm' ? 'npm run' : facts.packageManager;
  if ((scripts['proto'] ??= PROTO_SCRIPT) !== PROTO_SCRIPT) {
    files.left.push(
      `package.json: the script "proto" is the app's own; it has to do \`${PROTO_SCRIPT}\``,
    );
  }
  if (scripts['start:dev'] === 'nest start --watch') scripts['start:dev'] = 'apix-start dev';
  for (const name of BEFORE.filter((each) => Object.hasOwn(scripts, each))) {
    const before = (scripts[`pre${name}`] ??= `${run} proto`);
    if (!/\bproto\b/.test(before)) {
      files.left.push(`package.json: the script "pre${name}" has to run \`${run} proto\` as well`);
    }
  }
  if (facts.packageManager === 'yarn') {
    files.left.push('package.json: yarn 2 and later run no "pre" scripts; run `yarn proto` first');
  }
}

function sorted(record: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}
