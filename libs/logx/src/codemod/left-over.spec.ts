import { describe, expect, it } from '@jest/globals';
import { edited } from './edit.js';
import { migrate } from './migrate.js';

const CLASS = `import { Injectable, Module } from '@nestjs/common';
import { LoggerModule, PinoLogger } from 'nestjs-pino';
@Injectable()
export class Refunds {
  constructor(private readonly log: PinoLogger) {}
}
`;

function leftOverOf(text: string): string[] {
  const plans = migrate([{ path: 'a.ts', text }]);
  return plans.flatMap(({ leftOvers }) =>
    leftOvers.map(({ what, remedy }) => `${what}: ${remedy}`),
  );
}

describe('what is left over comes with what to do about it', () => {
  it.each([
    ['NativeLogger', 'use LogxLoggerService'],
    ['Params', 'use LogxModuleOptions, with options of LogxModule'],
    ['LoggerModuleAsyncParams', 'write the options where forRootAsync is called'],
    ['PARAMS_PROVIDER_TOKEN', 'inject LOGX_OPTIONS'],
    ['storage', 'use runWithLogger and fromContext'],
    ['Store', 'use runWithLogger and fromContext'],
    ['registerMicroserviceLogging', 'give connectMicroservice { inheritAppConfig: true }'],
    ['somethingNew', 'look for it on the migration page'],
  ])('%s of nestjs-pino', (name, remedy) => {
    const text = `import { ${name} } from 'nestjs-pino';\nexport const used = [${name}];\n`;
    expect(leftOverOf(text)).toEqual([`${name} of nestjs-pino: ${remedy}`]);
  });

  it.each([
    [
      'the module as a value',
      'export const modules = new Set([LoggerModule].concat(LoggerModule));\n',
      /^LoggerModule, used as a value: write LogxModule\.forRoot with options of LogxModule/,
    ],
    [
      'a provider of a logger for nobody in sight',
      'export const fakes = { providers: [{ provide: PinoLogger, useValue: {} }] };\n',
      /^a provider of PinoLogger: provide loggerToken\(Name\.name\) for each class/,
    ],
  ])('%s', (_what, code, expected) => {
    expect(leftOverOf(CLASS + code)).toContainEqual(expect.stringMatching(expected));
  });
});

describe('LoggerModule among the exports of a module', () => {
  it.each([
    [
      'goes where the module does not have the options',
      'imports: [HttpModule], exports: [HttpModule, LoggerModule]',
      'imports: [HttpModule], exports: [HttpModule]',
    ],
    [
      'stays, by its new name, where it has them',
      'imports: [HttpModule, LoggerModule.forRoot()], exports: [LoggerModule]',
      /imports: \[HttpModule, LogxModule\.forRoot\([^]*?\)\], exports: \[LogxModule\]/,
    ],
  ])('%s', (_what, before, after) => {
    const text = `${CLASS}@Module({ ${before} })\nexport class AppModule {}\n`;
    const changed = edited(text, migrate([{ path: 'a.ts', text }])[0]!.edits);
    expect(changed.replaceAll(/\s+/g, ' ')).toMatch(after);
  });
});
