import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { ts } from './npm-install/typescript.js';
import type { SourceText } from './app-file.js';
import { edited } from './edit.js';
import { fixtureApps } from './fixture-apps.fixture.js';
import { isValid, migrate } from './migrate.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const apps = fixtureApps();

/** The files of an app after one run. */
function migrated(files: readonly SourceText[]): SourceText[] {
  const plans = new Map(migrate(files).map((plan) => [plan.path, plan]));
  return files.map(({ path, text }) => ({
    path,
    text: edited(text, plans.get(path)?.edits ?? []),
  }));
}

function leftOverOf(files: readonly SourceText[]): string[] {
  return migrate(files).flatMap(({ path, text, leftOvers }) =>
    leftOvers.map(
      ({ position, what }) => `${path}:${text.slice(0, position).split('\n').length}: ${what}`,
    ),
  );
}

describe('the codemod from nestjs-pino', () => {
  it.each(apps)('writes the app $name as it stands in the test data', ({ before, after }) => {
    const changed = migrated(before).filter(({ text }, i) => text !== before[i]!.text);
    expect(changed).toEqual(after);
  });

  it.each(apps)('names what it leaves over of the app $name', ({ before, leftOver }) => {
    expect(leftOverOf(before)).toEqual(leftOver);
  });

  it.each(apps)('says what to do about all that it leaves over of the app $name', ({ before }) => {
    const remedies = migrate(before).flatMap(({ leftOvers }) => leftOvers.map((it) => it.remedy));
    expect(remedies.filter((remedy) => !/^\w+ \w+/.test(remedy))).toEqual([]);
  });

  it.each(apps)('changes nothing of the app $name a second time', ({ before }) => {
    const once = migrated(before);
    expect(migrated(once)).toEqual(once);
  });

  it('leaves no reference to nestjs-pino in an app that it takes over whole', () => {
    const whole = apps.filter(({ leftOver }) => leftOver.length === 0);
    const texts = whole.flatMap(({ before }) => migrated(before).map(({ text }) => text));
    expect(texts.filter((text) => text.includes('nestjs-pino'))).toEqual([]);
    expect(whole.length).toBeGreaterThan(2);
  });

  it('writes code that compiles against this package', () => {
    const whole = apps.filter(({ leftOver }) => leftOver.length === 0);
    expect(typeMistakesOf(whole)).toEqual([]);
  }, 300_000);

  it('throws for no source of this repository, and writes what can be parsed', () => {
    const sources = ['libs', 'apps', 'tools'].flatMap((folder) => sourcesBelow(folder));
    // As if all that they take from Nest came from nestjs-pino, and all loggers were PinoLoggers.
    const files = sources.map(({ path, text }) => ({
      path,
      text: text
        .replaceAll('@nestjs/common', 'nestjs-pino')
        .replaceAll(/\bLogger\b/g, 'PinoLogger')
        .replaceAll('.information(', '.info('),
    }));
    const plans = migrate(files);
    const wrong = plans.filter(
      ({ path, text, edits }) => isValid(path, text) && !isValid(path, edited(text, edits)),
    );
    expect(plans.length).toBeGreaterThan(100);
    expect(wrong.map(({ path }) => path)).toEqual([]);
  }, 300_000);
});

function sourcesBelow(folder: string): SourceText[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/(?:^|\/)(?:dist|gen|node_modules)\//.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, folder, path), 'utf8') }));
}

/** What the compiler says of apps after a run, each in a folder of its own. */
function typeMistakesOf(
  checked: readonly { readonly name: string; readonly before: readonly SourceText[] }[],
): string[] {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const sources = new Map(
    checked.flatMap(({ name, before }) =>
      migrated(before).map(({ path, text }) => [
        join(root, 'apps/demo/src', `migrated-${name}`, path),
        text,
      ]),
    ),
  );
  const disk = ts.createCompilerHost(options);
  const program = ts.createProgram({
    rootNames: [...sources.keys()],
    options,
    host: {
      ...disk,
      directoryExists: (folder) =>
        folder.includes('/migrated-') || disk.directoryExists?.(folder) === true,
      fileExists: (file) => sources.has(file) || disk.fileExists(file),
      readFile: (file) => sources.get(file) ?? disk.readFile(file),
      getSourceFile: (file, how, ...rest) => {
        const text = sources.get(file);
        return text === undefined
          ? disk.getSourceFile(file, how, ...rest)
          : ts.createSourceFile(file, text, how);
      },
    },
  });
  return [...sources.keys()].flatMap((file) => {
    const source = program.getSourceFile(file)!;
    return [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ].map(({ messageText }) => `${file}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
  });
}
