import { describe, expect, it } from '@jest/globals';
import { changed, classWith, planOf } from './changed-calls.fixture.js';
import { edited } from './edit.js';
import { migrate } from './migrate.js';

describe('a call of a PinoLogger', () => {
  it.each([
    "this.log.info('started')",
    "this.log.info({ id }, 'started')",
    'this.log.info({ id })',
    'this.log.error(err)',
    'this.log.error({ err })',
    "this.log.error({ err, id }, 'refund failed')",
    "this.log.error(err, 'refund failed')",
    "this.log.error('refund failed', err)",
    "this.log.warn('refund is late')",
    'this.log.debug(text)',
    'this.log.info(...rest)',
    "this.log.info(...rest, 'done')",
    "this.log.info({ id }, 'done', ...rest)",
    "this.log.info('100% {sure}')",
    'this.log?.info({ id }, text, order)',
  ])('%s stays as it is', (call) => {
    expect(changed(`${call};`)).toBe(`${call};`);
  });

  it.each([
    ["info('refund of %s', id)", "info('refund of {Id}', id)"],
    [
      "info('%s and %s', order.id, order.id)",
      "info('{OrderId} and {OrderId}', order.id, order.id)",
    ],
    ["info('%s and %s', a.name(), b.name())", "info('{Name} and {Name2}', a.name(), b.name())"],
    ["info('%d of %i, %f%%', 1, 2, 3)", "info('{Value} of {Value2}, {Value3}%', 1, 2, 3)"],
    ["info({ id }, 'took %d ms', order.ms)", "info({ id }, 'took {OrderMs} ms', order.ms)"],
    ["error(err, 'refund of %s', id)", "error(err, 'refund of {Id}', id)"],
    ["error('refund of %s failed', id)", "error('refund of {Id} failed', id)"],
    ["error('refund failed', id)", "error({ id }, 'refund failed')"],
    ["info('%o', this.port)", "info('{Port}', this.port)"],
    ["info('{%j}', thing)", "info('{{{Thing}}}', thing)"],
    [
      "info('%s is late', order.getName().trim())",
      "info('{Name} is late', order.getName().trim())",
    ],
    ["info('%s', JSON.stringify(order))", "info('{Order}', JSON.stringify(order))"],
    ['info(`refund of ${id}`)', "info('refund of {Id}', id)"],
    [
      'info({ id }, `${order!.id} of %s`, thing)',
      "info({ id }, '{OrderId} of {Thing}', order!.id, thing)",
    ],
    ["info(`it's\n${id}`)", "info('it\\'s\\n{Id}', id)"],
    ["trace('begin')", "verbose('begin')"],
    ["trace('%s', id)", "verbose('{Id}', id)"],
    ["logger.child({ id }).info('x')", "pino.child({ id }).info('x')"],
    ["fatal('gone')", "write({ level: Level.Fatal, template: 'gone' })"],
    [
      "fatal({ err, id }, 'gone')",
      "write({ level: Level.Fatal, error: err, fields: { id }, template: 'gone' })",
    ],
    [
      "fatal('%s is gone', id)",
      "write({ level: Level.Fatal, template: '{Id} is gone', args: [id] })",
    ],
  ])('%s becomes %s', (before, after) => {
    expect(changed(`this.log.${before};`)).toBe(`this.log.${after};`);
  });

  it('adds fields to the request by a function', () => {
    expect(changed('this.log.assign({ id });')).toBe('assign({ id });');
  });

  it.each([
    ['a method that is chosen while the app runs', 'this.log[level](id);'],
    ['a name that changes', 'this.log.setContext(id);'],
    ['a second name', 'const log = this.log;'],
    ['a fatal event of unknown form', 'this.log.fatal(thing);'],
    ['a method that there is not', 'this.log.bindings();'],
  ])('leaves the logger as it is for %s', (_what, statement) => {
    const plan = planOf(classWith(statement));
    expect(plan?.edits).toEqual([]);
    expect(plan?.leftOvers).toHaveLength(1);
  });

  it.each([
    ['fewer values than places', "this.log.info('%s took %d', id);"],
    ['an error text with a value that has no name', "this.log.error('failed', order.id);"],
    ['a use of the logger among its values', "this.log.info('%s', run(() => this.log.info(id)));"],
    ['a comment between the values', "this.log.info('%s', /* which */ id);"],
    ['places for values that are spread', "this.log.info('%s of %s', ...rest);"],
    ['braces beside values that are spread', "this.log.info('{order}', ...rest);"],
    ['a template literal before values that are spread', 'this.log.info(`of ${id}`, ...rest);'],
    ['an error text before values that are spread', "this.log.error('failed', ...rest);"],
  ])('is named and left for %s', (_what, statement) => {
    expect(changed(statement)).toBe(statement);
    expect(planOf(classWith(statement))?.leftOvers).toHaveLength(1);
  });
});

describe('the name of a logger', () => {
  /** What the decorator becomes, and whether `setContext` has gone. */
  function named(decorator: string, context?: string): string {
    const text = [
      "import { Inject, Injectable } from '@nestjs/common';",
      "import { InjectPinoLogger, PinoLogger } from 'nestjs-pino';",
      '@Injectable()',
      'export class Refunds {',
      `  constructor(${decorator} private readonly log: PinoLogger) {`,
      context === undefined ? '' : `    this.log.setContext(${context});`,
      '  }',
      '}',
      '',
    ].join('\n');
    const after = edited(text, planOf(text)?.edits ?? []);
    return `${/@InjectLogger\([^]*?\)/.exec(after)?.[0]}${after.includes('setContext') ? ' setContext' : ''}`;
  }

  it.each([
    ['@InjectPinoLogger(Refunds.name)', '@InjectLogger()'],
    ["@InjectPinoLogger('audit')", "@InjectLogger('audit')"],
    ['@InjectPinoLogger(Orders.name)', '@InjectLogger(Orders.name)'],
    ['@Inject(PinoLogger)', '@InjectLogger()'],
  ])('by %s is that of %s', (before, after) => {
    expect(named(before)).toBe(after);
  });

  it.each([
    ["'audit'", "@InjectLogger('audit')"],
    ['Orders.name', '@InjectLogger(Orders.name)'],
    ['Refunds.name', '@InjectLogger()'],
    ['this.constructor.name', '@InjectLogger()'],
    ['new.target.name', '@InjectLogger()'],
  ])('by setContext(%s) is that of %s', (context, after) => {
    expect(named('', context)).toBe(after);
    expect(named("@InjectPinoLogger('other')", context)).toBe(after);
  });
});

describe('a logger that no class has', () => {
  it.each([
    [
      'a variable in a function',
      'export function run(id: string): void {\n  const log: PinoLogger = make();\n  USE\n}\n',
    ],
    [
      'a variable of the file',
      'const log: PinoLogger = make();\nexport const run = (id: string): void => USE\n',
    ],
    ['a parameter', 'export function run(log: PinoLogger, id: string): void {\n  USE\n}\n'],
  ])('is changed with its calls: %s', (_what, code) => {
    const text = `import { PinoLogger } from 'nestjs-pino';\n${code}`;
    const before = text.replace('USE', "log.info('refund of %s', id);");
    expect(edited(before, planOf(before)?.edits ?? [])).toBe(
      text
        .replace('USE', "log.info('refund of {Id}', id);")
        .replace("{ PinoLogger } from 'nestjs-pino'", "{ type Logger } from '@apix/logx'")
        .replace('log: PinoLogger', 'log: Logger'),
    );
  });
});

describe('a logger whose name is declared again in its scope', () => {
  it.each([
    [
      'as a parameter',
      "export const run = (log: PinoLogger): void => use((log: Trunk) => log.info('%d m', 3));\n",
    ],
    [
      'as a variable',
      "export function run(log: PinoLogger): void {\n  { const log = trunk(); log.info('%d m', 3); }\n}\n",
    ],
    [
      'in a pattern',
      "export function run(log: PinoLogger): void {\n  { const { log } = trunk(); log.info('%d m', 3); }\n}\n",
    ],
    [
      'as a function',
      'export function run(log: PinoLogger): void {\n  { function log() {} use(log); }\n}\n',
    ],
  ])('%s is named and left', (_what, code) => {
    const plan = planOf(`import { PinoLogger } from 'nestjs-pino';\n${code}`);
    expect(plan?.edits).toEqual([]);
    expect(plan?.leftOvers).toMatchObject([
      {
        what: 'the name log, which is declared again inside of its scope',
        remedy: 'give one of the two another name, and run this again',
      },
    ]);
  });

  it('is changed where the other one is elsewhere', () => {
    const other = "export const cut = (log: Trunk): void => log.info('%d m', 3);\n";
    const text = `import { PinoLogger } from 'nestjs-pino';\nexport function run(log: PinoLogger): void {}\n${other}`;
    const after = edited(text, planOf(text)!.edits);
    expect(after).toContain('run(log: Logger)');
    expect(after).toContain(other);
  });
});

describe('a name of ours', () => {
  it.each([
    ['Logger', 'type Logger as LogxLogger', "import { Logger } from '@nestjs/common';\n"],
    ['assign', 'assign as assignFields', 'const assign = Object.assign;\n'],
  ])('gets another one where the file has a %s', (_name, imported, before) => {
    const text = before + classWith('this.log.assign({ id });');
    expect(edited(text, planOf(text)!.edits)).toContain(imported);
  });

  it('joins an import of this package that is there', () => {
    const text = `import { newId } from '@apix/logx';\n${classWith('newId();')}`;
    const after = edited(text, planOf(text)!.edits);
    expect(after).toContain("import { newId, InjectLogger, type Logger } from '@apix/logx';");
    expect(after.match(/@apix\/logx/g)).toHaveLength(1);
  });
});

describe('a logger that is handed on', () => {
  const shared = classWith('use(this.log);');

  it('is changed with all others', () => {
    expect(planOf(shared)?.leftOvers).toEqual([]);
    expect(planOf(shared)?.edits).not.toEqual([]);
  });

  it.each([
    ['itself', 1, shared],
    [
      'as one of two that are chosen from',
      2,
      classWith('use(this.log ?? this.audit);', {
        fields: ', private readonly audit: PinoLogger',
      }),
    ],
  ])('%s waits for a place in another file that cannot be changed', (_what, count, text) => {
    const other = {
      path: 'own.ts',
      text: "import { PinoLogger } from 'nestjs-pino';\nclass Own extends PinoLogger {}\n",
    };
    const plans = migrate([{ path: 'refunds.ts', text }, other]);
    expect(plans.flatMap(({ edits }) => edits)).toEqual([]);
    expect(plans.map(({ leftOvers }) => leftOvers.length)).toEqual([count, 1]);
  });
});
