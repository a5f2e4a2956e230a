import { readFileSync } from 'node:fs';
import { AppFiles } from './app/app-files.js';
import { type AppFacts, importPath, readAppFacts } from './app/app-facts.js';
import { changeManifest } from './app/manifest.js';
import type { SchematicRule, SchematicRun } from './schematic.js';
import { withConnectedGrpc } from './source/connected-grpc.js';
import { withModuleEntry } from './source/module-entry.js';
import { CALLER, apixModule, firstController, hostMain } from './texts/app-texts.js';
import {
  BUF_YAML,
  FIRST_PROTO,
  FIRST_SERVICE,
  GENERATED_IGNORED,
  bufGenYaml,
} from './texts/proto-texts.js';

/** The options of `nest add @apix/start`. */
export interface NestAddOptions {
  /** Default: 'src'. */
  readonly sourceRoot?: string;
  /** Default: false. */
  readonly skipInstall?: boolean;
}

/**
 * Adds gRPC, REST, policies and a first service to an app. Existing files are not changed, except
 * package.json, the list of imports of the root module, main.ts, and tests that start the app; the last lines
 * of the log say what remains to be done by hand. A second run changes nothing.
 *
 * @throws if the folder is not that of a Nest app.
 */
export function nestAdd(options: NestAddOptions): SchematicRule {
  return (tree, run) => {
    const files = new AppFiles(tree);
    const facts = readAppFacts(files, options.sourceRoot ?? 'src');
    const hasFirstService = addProtos(files, facts);
    addSources(files, facts, hasFirstService);
    const isMissing = changeManifest(files, facts, ownVersion());
    if (isMissing && options.skipInstall !== true) run.addTask(installTask(facts));
    sayHow(facts, run);
    files.report(run);
  };
}

/** @returns whether the app has the first service: an app that has its own .proto files does not get it. */
function addProtos(files: AppFiles, { sourceRoot, isEsm }: AppFacts): boolean {
  const isFirst = files.below('proto', '.proto').every((path) => path.endsWith(FIRST_PROTO));
  if (isFirst) files.add(FIRST_PROTO, FIRST_SERVICE);
  files.add(
    'buf.yaml',
    BUF_YAML,
    `it is the app's own; its modules have to be those of\n${BUF_YAML}`,
  );
  const generate = bufGenYaml(sourceRoot, isEsm);
  files.add(
    'buf.gen.yaml',
    generate,
    `it is the app's own; its plugins have to be those of\n${generate}`,
  );
  files.add('gen/.gitignore', GENERATED_IGNORED);
  files.add(`${sourceRoot}/gen/.gitignore`, GENERATED_IGNORED);
  return isFirst;
}

function addSources(files: AppFiles, facts: AppFacts, hasFirstService: boolean): void {
  const { sourceRoot } = facts;
  if (hasFirstService) {
    files.add(`${sourceRoot}/hello/greeter.controller.ts`, firstController(facts));
  }
  files.add(`${sourceRoot}/caller.ts`, CALLER);
  // In a later run main.ts is no longer the one of the CLI, and the module belongs to the app.
  const module = `${sourceRoot}/apix.module.ts`;
  if (!files.exists(module)) files.add(module, apixModule(facts, hasFirstService));
  const sources = changedSources(files, facts);
  if (sources === undefined) {
    files.left.push(
      `${sourceRoot}/main.ts: call connectGrpc(app) of @apix/grpc once the app is made, and import ApixModule of ${sourceRoot}/apix.module.ts in its root module`,
    );
    return;
  }
  for (const [path, text] of sources) files.replace(path, text);
  connectTests(files, facts);
}

/**
 * The changed main and the changed root module, or neither: an app with only one of the changes would
 * not start.
 */
function changedSources(files: AppFiles, facts: AppFacts): [string, string][] | undefined {
  const { sourceRoot, isNew, rootModule } = facts;
  if (rootModule === undefined) return undefined;
  const main = `${sourceRoot}/main.ts`;
  const module = `${sourceRoot}/${rootModule.file}.ts`;
  const connected = isNew ? hostMain(facts, rootModule) : withConnectedGrpc(files.text(main) ?? '');
  const up = '../'.repeat(rootModule.file.split('/').length - 1);
  const from = importPath(`${up || './'}apix.module`, facts);
  const importing = withModuleEntry(files.text(module) ?? '', 'imports', 'ApixModule', from);
  if (connected === undefined || importing === undefined) return undefined;
  return [
    [main, connected],
    [module, importing],
  ];
}

/** Tests that start the whole app create it without its main. */
function connectTests(files: AppFiles, { sourceRoot, rootModule }: AppFacts): void {
  const { name = '' } = rootModule ?? {};
  for (const path of files.below(sourceRoot.replace(/[^/]*$/, 'test'), '.ts')) {
    const source = files.text(path) ?? '';
    if (!source.includes(name) || !source.includes('createNestApplication')) continue;
    const connected = withConnectedGrpc(source);
    if (connected !== undefined) files.replace(path, connected);
    else files.left.push(`${path}: call connectGrpc(app) of @apix/grpc once the app is made`);
  }
}

function ownVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** Configured like `NodePackageInstallTask` of @angular-devkit/schematics. */
function installTask({ packageManager }: AppFacts): Parameters<SchematicRun['addTask']>[0] {
  const options = { command: 'install', quiet: true, hideOutput: false, packageManager };
  return { toConfiguration: () => ({ name: 'node-package', options }) };
}

function sayHow({ packageManager, isNew }: AppFacts, { logger }: SchematicRun): void {
  const start = packageManager === 'npm' ? 'npm start' : `${packageManager} start`;
  logger.info(`\`${start}\` serves HTTP and gRPC, by the policies in proto/`);
  if (!isNew) return;
  logger.info("curl localhost:3000/v1/greetings/Bob -H 'authorization: Bearer dev-friend'");
}
