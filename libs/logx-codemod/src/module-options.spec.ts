import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { edited } from './edit.js';
import { type FilePlan, migrate } from './migrate.js';

function planOf(options: string): FilePlan {
  const text = `import { LoggerModule } from 'nestjs-pino';\nexport const M = LoggerModule.forRoot(${options});\n`;
  return migrate([{ path: 'm.ts', text }])[0]!;
}

/** The options of LogxModule, on one line and without those that are always there. */
function changed(pinoHttp: string): string {
  const plan = planOf(`{ pinoHttp: { ${pinoHttp} } }`);
  return edited(plan.text, plan.edits)
    .replace(/^[^]*forRoot\(\{/, '')
    .replace(/\}\);\n$/, '')
    .replaceAll(/\s+/g, ' ')
    .replace(/timeFormat: 'TimeRFC3339Ms', stackTrace: true,|stackTrace: true,/, '')
    .trim();
}

describe('an option of LoggerModule', () => {
  it.each([
    ["level: 'debug'", "level: 'debug',"],
    ["level: dev ? 'debug' : 'info'", "level: dev ? 'debug' : 'info',"],
    ['level: process.env.LEVEL || "info"', 'level: parseLevel(process.env.LEVEL || "info"),'],
    ['level: config.level', "level: parseLevel(String(config.level ?? 'info')),"],
    ['level', "level: parseLevel(String(level ?? 'info')),"],
    ["level: 'silent'", 'sinks: [],'],
    ['enabled: false', 'sinks: [],'],
    ['enabled: true, base: null, quietReqLogger: true, autoLogging: true', ''],
    ["name: 'shop'", "fields: { service: 'shop' },"],
    ["base: { version: '1' }", "fields: { version: '1' },"],
    ["redact: ['password']", "redact: ['password'],"],
    ["redact: { paths: ['a.b'], censor: '*' }", "redact: { paths: ['a.b'], censor: '*' },"],
    ['timestamp: false', 'timestamp: false,'],
    ['timestamp: pino.stdTimeFunctions.epochTime', "timeFormat: 'TimeUnixMs',"],
    ['timestamp: pino.stdTimeFunctions.isoTime', ''],
    ['depthLimit: 3, edgeLimit: 9', 'limits: { depth: 3, items: 9 },'],
    ["transport: { target: 'pino-pretty' }", 'sinks: [consoleSink()],'],
    [
      "transport: { targets: [{ target: 'pino-pretty' }, { target: 'pino/file', level: 'error', options: { destination: 'e.log' } }] }",
      "sinks: [consoleSink(), fileSink('e.log', { minLevel: 'error' })],",
    ],
    [
      "...(dev ? { transport: { target: 'pino-pretty' } } : {})",
      'sinks: [dev ? consoleSink() : stdoutSink()],',
    ],
    ['stream: destination', 'sinks: [streamSink(destination)],'],
    ['genReqId: () => randomUUID()', 'http: { idGenerator: () => randomUUID(), },'],
    [
      "genReqId: (req) => req.headers['x-trace'] || uuidv4()",
      "http: { header: 'x-trace', idGenerator: () => uuidv4(), },",
    ],
    ['autoLogging: false', 'http: { skip: () => true, },'],
    ["customAttributeKeys: { reqId: 'id' }", "http: { field: 'id', },"],
    ["useLevel: 'debug'", "http: { levels: { '2xx': 'debug' }, },"],
    [
      "customLogLevel: (_, res) => res.statusCode < 400 ? 'silent' : 'warn'",
      "http: { levels: ({ status }) => status < 400 ? 'off' : 'warn', },",
    ],
    [
      "customLogLevel: (req, res, err) => (err || res.statusCode > 499 ? 'error' : 'info')",
      "http: { levels: ({ status, ended }) => (ended || status > 499 ? 'error' : 'info'), },",
    ],
    ['customProps: (req) => ({ url: req.url })', 'http: { fields: (req) => ({ url: req.url }), },'],
  ])('%s becomes %s', (before, after) => {
    expect(changed(before)).toBe(after);
  });

  it.each([
    'serializers: { req: () => ({}) }',
    'formatters: {}',
    "messageKey: 'message'",
    'redact: paths',
    "level: 'loud'",
    "level: test ? 'silent' : 'info'",
    "transport: { target: 'pino-loki' }",
    "transport: { target: 'pino/file', level: config.level }",
    "transport: { target: 'pino-pretty', level: 'silent' }",
    'genReqId: (req) => `${req.id}-1`',
    'genReqId: (req) => req.id ?? next(req)',
    'autoLogging: { ignorePaths: [] }',
    'customProps: (req, res) => ({ status: res.statusCode })',
    'customProps: (req) => ({ user: req.user })',
    'customLogLevel: (req, res) => levelOf(res)',
    "customLogLevel: (req, res, err) => err.message === '' ? 'info' : 'warn'",
    '...shared',
  ])('%s leaves the module as it is, and is named', (option) => {
    const plan = planOf(`{ pinoHttp: { level: 'info', ${option} } }`);
    expect(plan.edits).toEqual([]);
    expect(plan.leftOvers).toHaveLength(1);
    expect(plan.leftOvers[0]!.position).toBe(plan.text.indexOf(option));
  });

  it('is named with the row of the migration page that it has there', () => {
    const page = readFileSync(
      new URL('../../../docs/migrating-from-nestjs-pino.md', import.meta.url),
      'utf8',
    );
    const cells = [...page.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell]) => cell!);
    const names = ['serializers', 'formatters', 'hooks', 'mixin', 'messageKey', 'exclude', 'crlf'];
    const rows = planOf(
      `{ ${names.map((name) => `${name}: x`).join(', ')}, strange: x }`,
    ).leftOvers.map(({ row }) => row);
    expect(rows).toEqual([...names.map((name) => `\`${name}\``), undefined]);
    expect(rows.filter((row) => !cells.some((cell) => cell.includes(row ?? '')))).toEqual([]);
  });

  it.each(['options', '{ pinoHttp: [{}, stream] }', '{ exclude: [] }', '{ pinoHttp: options }'])(
    'leaves the module as it is for forRoot(%s)',
    (options) => {
      expect(planOf(options)).toMatchObject({ edits: [], leftOvers: [{}] });
    },
  );
});
