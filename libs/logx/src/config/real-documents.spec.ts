import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { type Program, program } from '../../../../tools/testing/program.js';
import { configSchema } from './config-schema.js';
import { loadConfig } from './load-config.js';

/** Events of an app: two modules, one of them below the other's name, and a failure. */
const APP = `
  import { createLoggerFromConfigFile, registerFormat } from '@apix/logx/core';
  registerFormat('kibana', {
    encode: ({ message, fields }, { level }) =>
      JSON.stringify({ severity: level, text: message, order: fields.get('OrderId') }),
  });
  const root = createLoggerFromConfigFile(process.argv[2]!);
  const orders = root.forContext('logger', 'Shop.Orders');
  const http = root.forContext('logger', 'Shop.Orders.HttpClient');
  http.debug('GET {Url}', '/stock');
  http.information('GET {Url} took {Ms:N1}', '/stock', 12.345);
  orders.debug('loaded');
  orders.information({ RequestId: 'r-1', password: 'p' }, 'Order {OrderId} placed', 'o-17');
  orders.warning('Stock of {Item} is low', 'tea');
  root.error(new Error('declined'), 'Payment of {OrderId} failed', 'o-17');
  await root.close();
`;

interface Output {
  readonly out: string;
  readonly err: string;
  readonly files: Readonly<Record<string, string>>;
}

describe('documents as apps have them', () => {
  const folder = fs.mkdtempSync(join(os.tmpdir(), 'logx-documents-'));
  let app: Program;

  beforeAll(async () => {
    app = await program({ code: APP, folder: new URL('..', import.meta.url) });
  });
  afterAll(async () => {
    await app.remove();
    fs.rmSync(folder, { recursive: true });
  });

  async function run(document: string): Promise<Output> {
    const logs = join(folder, 'logs');
    fs.rmSync(logs, { recursive: true, force: true });
    const path = join(folder, 'log.yaml');
    const text = document.replaceAll('logs/', `${logs}/`);
    expect(
      new Ajv2020({ strict: false }).validate(configSchema, parse(text, { merge: true })),
    ).toBe(true);
    fs.writeFileSync(path, text);
    const { out, err } = await app.run(path).ended;
    const names = fs.existsSync(logs) ? fs.readdirSync(logs) : [];
    const files = names.map((name) => [name, fs.readFileSync(join(logs, name), 'utf8')]);
    return { out, err, files: Object.fromEntries(files) as Output['files'] };
  }

  it('write to the console in a layout, by the names of loggers, and errors to a file', async () => {
    const { out, err, files } = await run(`
level: Information
levels: { Shop: Warning, Shop.Orders: Debug, Shop.Orders.HttpClient: Information }
fields: { Application: MyShop }
sinks:
  - type: Console
    layout: "[{level:u3}] {logger,-22} {message} {fields}"
  - { type: File, path: logs/errors.log, format: console, level: Error,
      layout: "{level:w3} {Application}: {message}" }`);
    expect(err).toBe('');
    expect(out).toBe(
      '[INF] Shop.Orders.HttpClient GET /stock took 12.3 Application=MyShop\n' +
        '[DBG] Shop.Orders            loaded Application=MyShop\n' +
        '[INF] Shop.Orders            Order o-17 placed Application=MyShop RequestId=r-1 password=p\n' +
        '[WRN] Shop.Orders            Stock of tea is low Application=MyShop\n' +
        '[ERR]                        Payment of o-17 failed Application=MyShop\n    declined\n',
    );
    expect(files['errors.log']).toBe('err MyShop: Payment of o-17 failed\n    declined\n');
  });

  it('write information to standard output and errors to standard error', async () => {
    const { out, err } = await run(`
levels: { "Shop.Orders.HttpClient": fatal }
enrich: [pid]
redact: { safe: true }
render: true
timestamp: false
sinks:
  - { type: stdout, maxLevel: warning }
  - { type: stderr, minLevel: error, format: ecs }`);
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toEqual([
      {
        level: 'info',
        'process.pid': expect.any(Number),
        logger: 'Shop.Orders',
        '@mt': 'Order {OrderId} placed',
        RequestId: 'r-1',
        password: '[Redacted]',
        OrderId: 'o-17',
        message: 'Order o-17 placed',
      },
      expect.objectContaining({ level: 'warn' }),
    ]);
    expect(JSON.parse(err)).toMatchObject({ 'log.level': 'error', 'error.message': 'declined' });
  });

  it('share settings by anchors, sample, and use a format of the app', async () => {
    const { out, err, files } = await run(
      `
level: information
sampling: { burst: 2, period: 1m }
sinks:
  - { type: stdout, format: Kibana }
  - &file { type: file, path: logs/all.json, async: true, rotation: { every: daily, maxBackups: 31 } }
  - { <<: *file, path: logs/warnings.json, level: warning }`,
    );
    expect(err).toBe('');
    expect(out).toBe(
      '{"severity":"info","text":"GET /stock took 12.3"}\n' +
        '{"severity":"info","text":"Order o-17 placed","order":"o-17"}\n',
    );
    expect(files['all.json']!.trimEnd().split('\n')).toHaveLength(2);
    expect(files['warnings.json']).toBe('');
  });

  it('are refused with all that is wrong in them, as those of another library are', () => {
    const serilog = `
MinimumLevel: { Default: Information, Override: { Microsoft: Warning } }
WriteTo: [{ Name: Console, Args: { outputTemplate: "[{Timestamp:HH:mm:ss}] {Message:lj}" } }]
Enrich: [WithMachineName]
levels: { Microsoft: None }
sinks: [{ type: console, layout: "{Timestamp} {Message}", level: Debug, maxLevel: Verbose }]`;
    const mistakes = (): unknown => loadConfig(serilog).options();
    for (const mistake of [
      /levels\.Microsoft: unknown level "None"/,
      /sinks\[0\]\.layout: .* has \{Timestamp\}, which is not known here; use \{time\}/,
      /sinks\[0\]: maxLevel must not be below the minimum level/,
      /MinimumLevel: is not known here; did you mean level\?/,
      /WriteTo: is not known here/,
      /Enrich: is not known here; did you mean enrich\?/,
    ]) {
      expect(mistakes).toThrow(mistake);
    }
  });
});

describe('the document of the guide', () => {
  const page = fs.readFileSync(
    new URL('../../../../docs/guides/serilog-settings.md', import.meta.url),
    'utf8',
  );
  const [, document] = /```yaml\n(.*?)```/s.exec(page)!;

  it('is right, and has all options but those of formats', () => {
    const options = loadConfig(document!).options();
    expect(options.sinks).toMatchObject([
      { kind: 'console', maxLevel: 40 },
      { kind: 'console', minLevel: 50 },
      { kind: 'file' },
    ]);
    expect(new Ajv2020({ strict: false }).validate(configSchema, parse(document!))).toBe(true);
  });
});
