import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { createLogger, Level } from '@apix/logx/core';
import { ts } from './npm-install/typescript.js';
import { collectingSink } from '@apix/logx/testing';
import { changed, classWith, planOf } from './changed-calls.fixture.js';

const DECLINED = 'declined {x}';

/** The names in the calls. */
const SCOPE = {
  id: 'o-{17}',
  order: { id: 'o-17', amount: 5 },
  thing: { a: 1 },
  err: new Error(DECLINED),
  Level,
};

const METHODS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

/** Arguments of calls that log the same before and after. */
const SAME = [
  "'started'",
  "'a {b} c'",
  "{ id }, 'started'",
  '{ id }',
  'err',
  '{ err }',
  '{ err, id }',
  "err, 'refund failed'",
  "err, 'a {b} c'",
  "err, 'refund of %s: %s', id, err.message",
  'err, `refund of ${id}`',
  "{ err, id }, 'refund failed'",
  "{ err, id }, 'refund of %s failed', id",
  "{ id }, 'took %d ms', 5",
  "'refund failed', { id }",
  "'refund of %s failed', id",
  "'refund of %s failed', id, { tenant: 'acme' }",
  "'100%% of %s', id",
  "'failed: %s', err",
  "'failed: %s', err.message",
  "'%s %s', id, err",
  '`refund of ${id} failed`',
  '`refund of ${id} failed: ${err}`',
  '{ id }, `{b} ${id}`',
];

/** Arguments of calls whose error pino ignores. */
const WITH_ERROR = [
  "{ id }, 'refund failed', err",
  "{ id }, 'refund of %s failed', id, err",
  "'refund failed', err",
  "'refund failed', { err, id }",
  "'refund failed', err, { id }",
  "'refund of %s failed', id, err",
  "'refund of %s failed', id, err as Error",
  '\'refund of %s failed\', id, new Error("declined {x}")',
  "'refund of %s failed', id, err, { tenant: 'acme' }",
  "'a {b} of %s', id, err",
  "'{%s}', id, err",
  "'100%% of %s', id, err",
  "'50% done', err",
  "'refund of %j failed', thing, err",
  '`refund of ${id} failed`, err',
  '`refund of ${id} of %s`, order.amount, err',
  '`{${id}}`, err',
  '`failed: ${err}`, err',
];

/** Arguments of calls of `error` that are left: a text after the values may be the template there. */
const LEFT = [
  "'refund of %s failed', id, order",
  "'refund of %s failed', id, order.amount",
  "'refund of %s failed', id, err.message",
  "'refund failed', err.message",
  "'refund failed', order.id, err",
];

/** An event in the words of both. */
interface Logged {
  readonly message: string;
  readonly error: string | undefined;
  readonly fields: object;
}

type Run = (log: object) => void;

/** Compiles statements of a method, before and after, and imports them. */
async function compiled(folder: string, statements: readonly string[]): Promise<Map<string, Run>> {
  const functions = statements.map(
    (statement) => `function (this: any, { ${Object.keys(SCOPE).join()} }: any) { ${statement} }`,
  );
  const { outputText } = ts.transpileModule(`export default [${functions.join()}];`, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  const file = join(folder, 'calls.mjs');
  await writeFile(file, outputText);
  const { default: calls } = (await import(file)) as { default: ((scope: object) => void)[] };
  return new Map(
    statements.map((statement, i) => [statement, (log) => calls[i]!.call({ log }, SCOPE)]),
  );
}

/** What nestjs-pino's PinoLogger logs: it hands the arguments to pino. */
function loggedBefore(run: Run): Logged {
  let line = '';
  const target = { write: (text: string) => void (line = text) };
  run(pino({ base: null, timestamp: false, level: 'trace' }, target));
  const { level, msg = '', err, ...fields } = JSON.parse(line) as Record<string, unknown>;
  expect(level).toEqual(expect.any(Number));
  return {
    message: msg as string,
    error: (err as { message: string } | undefined)?.message,
    fields,
  };
}

function loggedAfter(run: Run): Logged {
  const logged = collectingSink();
  run(createLogger({ level: 'verbose', sinks: [logged] }));
  const { message, error, ...fields } = logged.only();
  return { message, error: error as string | undefined, fields };
}

const ROWS = [
  ...SAME.map((args) => ({ args, ignored: undefined })),
  ...WITH_ERROR.map((args) => ({ args, ignored: DECLINED })),
].flatMap(({ args, ignored }) =>
  METHODS.map((method) => ({ statement: `this.log.${method}(${args});`, ignored })),
);

describe('a call', () => {
  let folder: string;
  let calls: Map<string, Run>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'logx-calls-'));
    const statements = ROWS.map(({ statement }) => statement);
    calls = await compiled(folder, [...statements, ...statements.map(changed)]);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each(ROWS)(
    '$statement logs what pino logged, and the error that pino ignored',
    ({ statement, ignored }) => {
      expect(planOf(classWith(statement))?.leftOvers).toEqual([]);
      const before = loggedBefore(calls.get(statement)!);
      expect(loggedAfter(calls.get(changed(statement))!)).toEqual({
        message: before.message,
        error: before.error ?? ignored,
        fields: expect.objectContaining(before.fields),
      });
    },
  );
});

describe('a call of error', () => {
  it.each(LEFT)('(%s) is left', (args) => {
    const statement = `this.log.error(${args});`;
    expect(changed(statement)).toBe(statement);
    expect(planOf(classWith(statement))?.leftOvers).toHaveLength(1);
  });
});
