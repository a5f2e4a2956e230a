import { type AppFacts, importPath } from './app/app-facts.js';
import type { AppFiles } from './app/app-files.js';
import type { Plan } from './look/plan.js';
import { withConnectedGrpc } from './source/connected-grpc.js';
import { withModuleEntry } from './source/module-entry.js';
import type { MainModule } from './source/root-module.js';
import { hostMain } from './texts/app-texts.js';

/** Imports ApixModule in the root module, and connects its server in the main and in tests. */
export function wireApp(files: AppFiles, facts: AppFacts, plan: Plan): void {
  const { sourceRoot, rootModule } = facts;
  const main = `${sourceRoot}/main.ts`;
  if (rootModule === undefined) {
    const why =
      'no `NestFactory.create(…)` of a module that it imports from a file near it was found';
    files.left.push(`${main}: ${why}: ${stepsByHand(facts, plan, 'the root module')}`);
    return;
  }
  const module = `${sourceRoot}/${rootModule.file}.ts`;
  const connected = connectedMain(files, facts, plan, rootModule);
  const importing = importingModule(files, facts, rootModule);
  // An app with only one of the changes would not start.
  if (connected === undefined || importing === undefined) {
    const why =
      connected === undefined
        ? `${main}: the app is not made in one place, by a statement of its own`
        : `${module}: its \`@Module({ imports: […] })\` was not found`;
    files.left.push(`${why}: ${stepsByHand(facts, plan, module)}`);
    return;
  }
  files.replace(main, connected, plan.isNew ? 'runHost' : 'connectGrpc(app)');
  files.replace(module, importing, 'imports ApixModule');
  if (plan.parts.has('grpc')) connectTests(files, facts, rootModule);
}

function connectedMain(
  files: AppFiles,
  facts: AppFacts,
  { isNew, parts }: Plan,
  rootModule: MainModule,
): string | undefined {
  const main = files.text(`${facts.sourceRoot}/main.ts`) ?? '';
  if (isNew && parts.has('logx') && parts.has('hostx')) return hostMain(facts, rootModule);
  return parts.has('grpc') ? withConnectedGrpc(main) : main;
}

function importingModule(
  files: AppFiles,
  facts: AppFacts,
  { file }: MainModule,
): string | undefined {
  const up = '../'.repeat(file.split('/').length - 1);
  const from = importPath(`${up || './'}apix.module`, facts);
  const source = files.text(`${facts.sourceRoot}/${file}.ts`) ?? '';
  return withModuleEntry(source, 'imports', 'ApixModule', from);
}

function stepsByHand({ sourceRoot }: AppFacts, { parts }: Plan, module: string): string {
  const imported = `import ApixModule of ${sourceRoot}/apix.module.ts in ${module}`;
  if (!parts.has('grpc')) return imported;
  return `${imported}, and call connectGrpc(app) of @apix/grpc once the app is made, also in tests that start it`;
}

/** Tests that start the whole app create it without its main. */
function connectTests(files: AppFiles, { sourceRoot }: AppFacts, { name }: MainModule): void {
  const folders = [sourceRoot.replace(/[^/]*$/, 'test'), sourceRoot];
  for (const path of folders.flatMap((folder) => files.below(folder, '.ts'))) {
    const source = files.text(path) ?? '';
    const isWhole = new RegExp(`\\b${name}\\b`).test(source);
    if (!isWhole || !/\bcreateNestApplication\b/.test(source)) continue;
    const connected = withConnectedGrpc(source, 'each');
    if (connected !== undefined) files.replace(path, connected, 'connectGrpc(app)');
    else files.left.push(`${path}: call connectGrpc(app) of @apix/grpc once the app is made`);
  }
}
