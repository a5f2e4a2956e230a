import { protosOf } from './look/protos.js';
import { readFileSync } from 'node:fs';
import { type AppFacts, readAppFacts } from './app/app-facts.js';
import { AppFiles, sameText } from './app/app-files.js';
import { changeManifest } from './app/manifest.js';
import { letJestLoadPackages } from './look/jest.js';
import { type Plan, planFor } from './look/plan.js';
import { notesOf, noteLeftOut } from './notes.js';
import { reportAdded } from './report.js';
import type { SchematicRule, SchematicRun } from './schematic.js';
import { CALLER, firstController } from './texts/app-texts.js';
import { apixModule } from './texts/apix-module.js';
import {
  FIRST_PROTO,
  FIRST_SERVICE,
  GENERATED_IGNORED,
  bufGenYaml,
  bufYaml,
  sourceRootsOf,
} from './texts/proto-texts.js';
import { wireApp } from './wire-app.js';

/** The options of `nest add @apix/start`. */
export interface NestAddOptions {
  /** Default: 'src'. */
  readonly sourceRoot?: string;
  /** Default: false. */
  readonly skipInstall?: boolean;
}

/**
 * Adds gRPC, REST, policies and a first service to an app, as far as the app can carry them. Existing files are
 * not changed, except package.json, the list of imports of the root module, main.ts, tests that start the app, and
 * the configuration of Jest. The last lines of the log say what was added, what was left out and why, and what
 * remains to be done by hand. A second run changes nothing.
 *
 * @throws if the folder is not that of a Nest app, or its Nest is not supported.
 */
export function nestAdd(options: NestAddOptions): SchematicRule {
  return (tree, run) => {
    const files = new AppFiles(tree);
    const facts = readAppFacts(files, options.sourceRoot ?? 'src');
    const plan = planFor(files, facts);
    const version = ownVersion();
    const isFirstRun = !files.exists(`${facts.sourceRoot}/apix.module.ts`);
    noteLeftOut(files, facts, plan, version);
    if (plan.parts.has('proto')) addProtos(files, facts, plan);
    if (plan.parts.size > 0) {
      addSources(files, facts, plan);
      wireApp(files, facts, plan);
      letJestLoadPackages(files, facts);
    }
    const isMissing = changeManifest(files, facts, plan.parts, version);
    const task = isMissing && options.skipInstall !== true ? installTask(facts) : undefined;
    const installed = task && run.addTask(task);
    reportAdded(files, notesOf(facts, plan, isFirstRun), run, installed);
  };
}

function addProtos(files: AppFiles, facts: AppFacts, plan: Plan): void {
  const { sourceRoot } = facts;
  if (plan.hasFirstService) files.add(FIRST_PROTO, FIRST_SERVICE);
  files.add('buf.yaml', bufYaml(protosOf(files).hasGoogleApi));
  addGenerator(files, facts);
  for (const folder of ['gen', `${sourceRoot}/gen`]) {
    const others = files.below(folder, '').filter((path) => !/_pb\.ts$|\.binpb$/.test(path));
    if (others.length === 0) files.add(`${folder}/.gitignore`, GENERATED_IGNORED);
  }
}

/** The apps of a workspace share buf.gen.yaml. */
function addGenerator(files: AppFiles, { sourceRoot, isEsm }: AppFacts): void {
  const path = 'buf.gen.yaml';
  const before = files.text(path) ?? '';
  const roots = sourceRootsOf(before);
  if (!sameText(before, bufGenYaml(roots, isEsm))) {
    const text = bufGenYaml([sourceRoot], isEsm);
    files.add(path, text, `it is the app's own; its plugins have to be those of\n${text}`);
  } else if (!roots.includes(sourceRoot)) {
    files.replace(path, bufGenYaml([...roots, sourceRoot], isEsm), sourceRoot);
  }
}

function addSources(files: AppFiles, facts: AppFacts, plan: Plan): void {
  const { sourceRoot } = facts;
  if (plan.hasFirstService) {
    files.add(`${sourceRoot}/hello/greeter.controller.ts`, firstController(facts));
  }
  if (plan.parts.has('authz')) files.add(`${sourceRoot}/${plan.caller}.ts`, CALLER);
  const module = `${sourceRoot}/apix.module.ts`;
  const text = apixModule(facts, plan);
  if (!files.exists(module)) files.add(module, text);
  else if (!plan.isKept) files.replace(module, text, 'further modules');
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
