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

describe('a call that is left over', () => {
  /** What is said of a statement, and the row of the page that has its like. */
  function leftOf(statement: string): unknown[] {
    const text = CLASS.replace('PinoLogger) {}', `PinoLogger) { ${statement} }`);
    return migrate([{ path: 'a.ts', text }]).flatMap(({ leftOvers }) =>
      leftOvers.map(({ what, remedy, position }) => [
        what,
        remedy,
        text.slice(position, position + 4),
      ]),
    );
  }

  it.each([
    [
      "this.log.info('%s of %s', ...rest);",
      'values that are spread',
      'write each of them, and a hole for it',
    ],
    [
      "this.log.info('%s of %s', id);",
      'a text with %s that has fewer values than it names',
      'write a template',
    ],
    [
      "this.log.error('%s failed', id, order, user);",
      'an error text with more values than it has places for',
      'write a template with a hole for each value',
    ],
    [
      "this.log.error('late', order.id);",
      'an error text with a value that it has no place for',
      'write a hole for the value; where it is a text, it would be taken as the message here',
    ],
    [
      "this.log.info('%s', run(() => this.log.info(id)));",
      'a use of the logger among its own values',
      'move it out of the call',
    ],
    [
      "this.log.info('%s', /* which */ id);",
      'a comment among the arguments',
      'write a template with named holes',
    ],
  ])('%s is named, at its text', (statement, what, remedy) => {
    const at = /'[^]{3}/.exec(statement)![0];
    expect(leftOf(statement)).toEqual([[what, remedy, at]]);
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
