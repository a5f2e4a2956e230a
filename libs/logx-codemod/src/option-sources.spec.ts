import { describe, expect, it } from '@jest/globals';
import type { SourceText } from './app-file.js';
import { edited } from './edit.js';
import { isValid, migrate } from './migrate.js';

const MODULE = `import { LoggerModule } from 'nestjs-pino';\n`;
const PARAMS = `import type { Params } from 'nestjs-pino';\n`;

type Files = Readonly<Record<string, string>>;

function run(files: Files): { readonly texts: Files; readonly left: readonly string[] } {
  const sources: SourceText[] = Object.entries(files).map(([path, text]) => ({ path, text }));
  const plans = migrate(sources);
  const texts = sources.map(({ path, text }) => {
    const plan = plans.find((it) => it.path === path);
    const changed = edited(text, plan?.edits ?? []);
    expect(isValid(path, changed)).toBe(true);
    return [path, changed] as const;
  });
  const left = plans.flatMap(({ path, leftOvers, text }) =>
    leftOvers.map(
      ({ what, position }) => `${path}:${text.slice(0, position).split('\n').length}: ${what}`,
    ),
  );
  return { texts: Object.fromEntries(texts), left };
}

/** Of an app whose module takes its options from a file. */
function appWith(options: string, given = 'loggerOptions', specifier = './logger.options'): Files {
  return {
    'src/app.module.ts': `${MODULE}import { loggerOptions } from '${specifier}';\nexport const M = LoggerModule.forRoot(${given});\n`,
    'src/logger.options.ts': options,
  };
}

describe('options of LoggerModule in another file', () => {
  const typed = `${PARAMS}export const loggerOptions: Params = { pinoHttp: { level: 'warn' } };\n`;

  it.each<[string, Files]>([
    ['a constant', appWith(typed)],
    ['a constant by a name with an ending', appWith(typed, 'loggerOptions', './logger.options.js')],
    ['a constant by an alias of a path', appWith(typed, 'loggerOptions', '@/logger.options')],
    [
      'a constant by an alias of the sources',
      appWith(typed, 'loggerOptions', 'src/logger.options'),
    ],
    [
      'a cast',
      appWith(`${PARAMS}export const loggerOptions = { pinoHttp: { level: 'warn' } } as Params;\n`),
    ],
    [
      'satisfies',
      appWith(
        `${PARAMS}export const loggerOptions = { pinoHttp: { level: 'warn' } } satisfies Params;\n`,
      ),
    ],
    ['no type', appWith(`export const loggerOptions = ({ pinoHttp: { level: 'warn' } });\n`)],
    [
      'an export at the end',
      appWith(`const own = { pinoHttp: { level: 'warn' } };\nexport { own as loggerOptions };\n`),
    ],
    [
      'a function',
      appWith(
        `export function loggerOptions() { return { pinoHttp: { level: 'warn' } }; }\n`,
        'loggerOptions()',
      ),
    ],
    [
      'an arrow',
      appWith(
        `${PARAMS}export const loggerOptions = (): Params => ({ pinoHttp: { level: 'warn' } });\n`,
        'loggerOptions()',
      ),
    ],
    [
      'a constant of a function',
      appWith(
        `const build = () => ({ pinoHttp: { level: 'warn' } });\nexport const loggerOptions = build();\n`,
      ),
    ],
    [
      'a constant inside of a function',
      appWith(
        `${PARAMS}export function loggerOptions(): Params {\n  const made: Params = { pinoHttp: { level: 'warn' } };\n  return made;\n}\n`,
        'loggerOptions()',
      ),
    ],
  ])('written as %s is followed', (_what, files) => {
    const { texts, left } = run(files);
    expect(left).toEqual([]);
    const all = Object.values(texts).join('');
    expect(all).not.toMatch(/nestjs-pino|pinoHttp|Params/);
    expect(all).toContain("level: 'warn',");
    expect(all).toContain('LogxModule.forRoot(loggerOptions');
    expect(run(texts)).toEqual({ texts, left: [] });
  });

  it('is followed through barrels', () => {
    const files = {
      ...appWith(typed, 'loggerOptions', './config'),
      'src/config/index.ts': `export * from './other';\nexport { loggerOptions } from '../logger.options';\n`,
      'src/config/other.ts': 'export const other = 1;\n',
    };
    expect(run(files).left).toEqual([]);
  });

  it.each<[string, Files, string]>([
    [
      'a file that is not given',
      { 'src/app.module.ts': appWith('')['src/app.module.ts']! },
      'loggerOptions of ./logger.options, which is not among the files',
    ],
    [
      'a package',
      appWith(typed, 'loggerOptions', '@acme/config'),
      'loggerOptions of @acme/config, which is not among the files',
    ],
    [
      'a variable',
      appWith(`export let loggerOptions = { pinoHttp: {} };\n`),
      'loggerOptions, which is not a constant',
    ],
    [
      'a name that is declared twice',
      appWith(`${typed}export function f(loggerOptions: string) { return loggerOptions; }\n`),
      'loggerOptions of ./logger.options',
    ],
    [
      'a member',
      appWith(`export const loggerOptions = { log: { pinoHttp: {} } };\n`, 'loggerOptions.log'),
      'not written out: loggerOptions.log',
    ],
    [
      'a class',
      appWith(
        `export class loggerOptions { static get() { return { pinoHttp: {} }; } }\n`,
        'loggerOptions.get()',
      ),
      'not written out: loggerOptions.get',
    ],
    [
      'a promise',
      appWith(
        `export const loggerOptions = async () => ({ pinoHttp: {} });\n`,
        'await loggerOptions()',
      ),
      'not written out: await loggerOptions()',
    ],
    [
      'itself',
      appWith(`export const loggerOptions = other;\nconst other = loggerOptions;\n`),
      'too many steps',
    ],
    [
      'JavaScript',
      {
        ...appWith(typed, 'loggerOptions', './logger'),
        'src/logger.js': 'export const loggerOptions = {};\n',
      },
      'loggerOptions of ./logger',
    ],
  ])('is left where it comes from %s', (_what, files, why) => {
    const { texts, left } = run(files);
    expect(texts['src/app.module.ts']).toBe(files['src/app.module.ts']);
    expect(left.filter((each) => each.startsWith('src/app.module.ts'))).toEqual([
      expect.stringContaining(why),
    ]);
  });

  it('is left with all modules that take it if other code uses it, which is named', () => {
    const files = {
      ...appWith(typed),
      'src/rooms.module.ts': `${MODULE}import { loggerOptions as options } from './logger.options';\nexport const M = LoggerModule.forRoot(options);\n`,
      'src/main.ts': `import pino from 'pino';\nimport { loggerOptions } from './logger.options';\nexport const log = pino(loggerOptions.pinoHttp as object);\n`,
    };
    const { texts, left } = run(files);
    expect(texts).toEqual(files);
    expect(left).toEqual([
      'src/app.module.ts:3: LoggerModule.forRoot with loggerOptions, which other code uses too: src/main.ts:3',
      'src/logger.options.ts:2: Params of nestjs-pino',
      'src/rooms.module.ts:3: LoggerModule.forRoot with loggerOptions, which other code uses too: src/main.ts:3',
    ]);
  });

  it('is left if a file takes all names of its file', () => {
    const files = {
      ...appWith(typed),
      'src/main.ts': `import * as config from './logger.options';\nexport const log = config;\n`,
    };
    expect(run(files).texts).toEqual(files);
  });

  it('is left with all modules that take it if one of them cannot be converted', () => {
    const files = {
      ...appWith(typed),
      'src/rooms.module.ts': `${MODULE}import { loggerOptions } from './logger.options';\nexport const M = LoggerModule.forRoot(loggerOptions, 1);\n`,
    };
    expect(run(files).texts).toEqual(files);
  });

  it('names an option that cannot be converted where it is, and the module', () => {
    const files = appWith(
      `${PARAMS}export const loggerOptions: Params = {\n  pinoHttp: { level: 'warn', serializers: {} },\n};\n`,
    );
    const { texts, left } = run(files);
    expect(texts).toEqual(files);
    expect(left).toEqual([
      'src/app.module.ts:3: LoggerModule.forRoot with options that are left over in src/logger.options.ts',
      'src/logger.options.ts:2: Params of nestjs-pino',
      'src/logger.options.ts:3: the option serializers of LoggerModule',
    ]);
  });

  it('is left if it has a type that is not one of nestjs-pino', () => {
    const files = appWith(
      `type Own = { pinoHttp: object };\nexport const loggerOptions: Own = { pinoHttp: { level: 'warn' } };\n`,
    );
    expect(run(files).left).toEqual([
      'src/logger.options.ts:2: options of LoggerModule with a type that is not Params',
    ]);
    expect(run(files).texts).toEqual(files);
  });

  it('leaves a function that a test calls', () => {
    const files = {
      ...appWith(
        `export function loggerOptions() { return { pinoHttp: { level: 'warn' } }; }\n`,
        'loggerOptions()',
      ),
      'test/options.spec.ts': `import { loggerOptions } from '../src/logger.options';\nloggerOptions().pinoHttp;\n`,
    };
    const { texts, left } = run(files);
    expect(texts).toEqual(files);
    expect(left).toEqual([
      expect.stringContaining('which other code uses too: test/options.spec.ts:2'),
    ]);
  });

  it('imports nothing for options that it does not convert', () => {
    const files = {
      'src/app.module.ts': `import { Logger, LoggerModule } from 'nestjs-pino';\nexport const used = [Logger];\nexport const M = LoggerModule.forRoot({ pinoHttp: { level: config.level, hooks: {} } });\n`,
    };
    expect(run(files).texts['src/app.module.ts']).not.toContain('parseLevel');
  });
});
