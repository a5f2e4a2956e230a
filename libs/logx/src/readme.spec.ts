import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fakeClock } from '@apix/contracts/testing';
import { type Program, program } from '../../../tools/testing/program.js';
import { loadConfig } from './config/load-config.js';
import { createLogger } from './logger/create-logger.js';
import type { Logger } from './logger/logger.js';
import type { LoggerOptions } from './logger/logger-options.js';
import { customSink } from './sinks/custom-sink.js';
import type { Format } from './sinks/sink.js';

const readme = fs.readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const blocks = (language: string): string[] =>
  [...readme.matchAll(/```(\w+)\n(.*?)```/gs)].flatMap(([, name, text]) =>
    name === language ? [text!] : [],
  );
const [example] = blocks('ts');
const calls = blocks('ts').find((code) => code.includes('Payment of {OrderId} is late'));
const ownSink = blocks('ts').find((code) => code.includes('registerSinkType('));
const [onConsole, inFile, ...others] = blocks('text');
const folder = new URL('.', import.meta.url);

async function running<T>(code: string, use: (app: Program) => Promise<T>): Promise<T> {
  const app = await program({ code, folder });
  try {
    return await use(app);
  } finally {
    await app.remove();
  }
}

describe('the example of the README', () => {
  const directory = fs.mkdtempSync(join(os.tmpdir(), 'logx-readme-'));
  const path = join(directory, 'logs', 'shop.json');
  const atOneTime = (text: string): string =>
    text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '2026-11-21T03:04:05Z');
  let printed: string;
  beforeAll(async () => {
    const code = `process.chdir(process.argv[2]!);\n${example!}`;
    const { out, err } = await running(code, (app) => app.run(directory).ended);
    expect(err).toBe('');
    printed = atOneTime(out);
  });
  afterAll(() => fs.rmSync(directory, { recursive: true }));

  it('shows on the console what the README says', () => {
    expect(printed).toBe(onConsole);
  });

  it('leaves in the file what the README says', () => {
    expect(atOneTime(fs.readFileSync(path, 'utf8'))).toBe(inFile);
  });
});

describe('the calls of the README', () => {
  it('are events with their templates, fields and errors', async () => {
    const { out, err } = await running(calls!, (app) => app.run().ended);
    expect(err).toBe('');
    const events = out.trimEnd().split('\n');
    expect(events.map((line) => JSON.parse(line) as object)).toMatchObject([
      { level: 'info', message: 'Order o-17 placed' },
      { level: 'warn', message: 'Payment of o-17 is late', error: 'card declined' },
      { level: 'error', message: 'Payment of o-17 failed', OrderId: 'o-17' },
      { level: 'error', message: 'Payment of o-17 failed', error: 'card declined' },
      { message: 'Payment of o-17 failed', error: 'card declined', tenant: 'acme' },
      { message: 'Payment of o-17 failed', error: 'card declined', tenant: 'acme' },
      { message: 'card declined', error: 'card declined' },
    ]);
  });
});

/** The line of each format. */
function linesOf(log: (logger: Logger) => void, more: LoggerOptions): Record<Format, string> {
  const lines: Partial<Record<Format, string>> = {};
  const sinks = (['json', 'console', 'ecs', 'otel'] as const).map((format) =>
    customSink({ write: (line) => (lines[format] = line) }, { format }),
  );
  log(createLogger({ sinks, clock: fakeClock(Date.UTC(2026, 10, 21, 3, 4, 5)), ...more }));
  return lines as Record<Format, string>;
}

describe('the formats of the README', () => {
  it.each<[Format, number]>([
    ['json', 0],
    ['console', 1],
    ['ecs', 2],
    ['otel', 3],
  ])('show the line of %s', (format, i) => {
    const lines = linesOf((log) => {
      log.forContext('OrderId', 'o-17').info('{Count} items for {Customer}', 3, 'Ada');
    }, {});
    expect(others[i]).toBe(lines[format]);
  });

  const lines = linesOf(
    (log) =>
      log
        .named('shop')
        .forContextValues({ logger: 'a', trace_id: '1'.repeat(32), span_id: '1'.repeat(16) })
        .error(new Error('x'), '{Count}', 3, 'surplus'),
    { caller: true, stackTrace: true },
  );
  const otel = JSON.parse(lines.otel) as { attributes: { key: string }[] };
  it.each<[string, number, string[]]>([
    ['json', 2, Object.keys(JSON.parse(lines.json) as object)],
    ['ecs', 3, Object.keys(JSON.parse(lines.ecs) as object)],
    [
      'otel',
      4,
      [...Object.keys(otel), ...otel.attributes.map(({ key }) => key)].filter(
        (name) => name !== 'attributes',
      ),
    ],
  ])('name every field of %s, and no other', (_format, column, names) => {
    const named = rowsOf('what').flatMap((row) => codesIn(row[column]!));
    expect(named.toSorted()).toEqual(names.toSorted());
  });
});

describe.each(['bufferOnFailure: true', 'levels.for('])(
  'the example with %s of the README',
  (part) => {
    it('prints what the README says', async () => {
      const code = blocks('ts').find((block) => block.includes(part))!;
      const [, promised] = readme
        .slice(readme.indexOf(code))
        .split(/^```(?:text)?$/m)
        .slice(1);
      const { out, err } = await running(code, (app) => app.run().ended);
      const same = (line: string): string =>
        line.replaceAll(/"(time|RequestId)":"[^"]*"/g, '"$1":"…"').trim();
      expect([same(out), err]).toEqual([same(promised!), '']);
    });
  },
);

describe('the options of the README', () => {
  it('are those of a logger', () => {
    const known: Record<keyof LoggerOptions, true> = {
      level: true,
      levels: true,
      renderedMessage: true,
      timestamp: true,
      timeFormat: true,
      caller: true,
      stackTrace: true,
      ecs: true,
      sinks: true,
      errorHandler: true,
      sampling: true,
      fields: true,
      enrich: true,
      redact: true,
      limits: true,
      clock: true,
      bufferOnFailure: true,
    };
    const named = rowsOf('option').flatMap((row) => codesIn(row[1]!));
    expect(named).toEqual(expect.arrayContaining(Object.keys(known)));
  });
});

describe('the layout of the README', () => {
  it('writes what the README shows', () => {
    const [, layout] = /const layout = '(.*)';/.exec(readme)!;
    let line = '';
    const logger = createLogger({
      clock: fakeClock(Date.UTC(2026, 10, 21, 3, 4, 5)),
      fields: { logger: 'orders' },
      sinks: [customSink({ write: (text) => void (line = text) }, { format: 'console', layout })],
    });
    logger.forContext('OrderId', 'o-17').information('{Count} items sold', 3);
    expect(others).toContain(line);
  });
});

describe('the configuration of the README', () => {
  const [document] = blocks('yaml');

  it('is right', () => {
    expect(loadConfig(document!).options().sinks).toMatchObject([
      { kind: 'console' },
      { kind: 'file', format: 'ecs' },
    ]);
  });

  it('has the mistakes that the README shows when it is wrong', () => {
    const wrong = document!
      .replace('level: information', 'level: loud')
      .replace('every: daily', 'every: weekly');
    const shown = others.find((text) => text.startsWith('logx: configuration'))!;
    const wanted = shown.trimEnd().replace(' log.yaml:', ':');
    expect(() => loadConfig(wrong)).toThrow(new Error(wanted));
  });
});

describe('the sink of the README', () => {
  it('sends lines to where its options say', async () => {
    const code = `
      import { createServer } from 'node:net';
      ${ownSink!}
      const server = createServer((socket) => socket.pipe(process.stdout).on('end', () => {}));
      server.listen(0, '127.0.0.1', async () => {
        const { port } = server.address() as { port: number };
        const options = { host: '127.0.0.1', port };
        const log = configOf({ sinks: [{ type: 'tcp', options }] }).build();
        log.information('Hello {Name}', 'Ada');
        await log.close();
        server.close();
      });`;
    const { out, err } = await running(code, (app) => app.run().ended);
    expect(err).toBe('');
    expect(JSON.parse(out)).toMatchObject({ Name: 'Ada', 'ecs.version': '8.11.0' });
  });
});

/** The cells of the rows of the tables whose first heading this is. */
function rowsOf(heading: string): string[][] {
  const tables = readme.split(/\n\n/).filter((part) => part.startsWith(`| ${heading} `));
  return tables.flatMap((table) =>
    table
      .split('\n')
      .slice(2)
      .map((row) => row.split('|')),
  );
}

function codesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
}
