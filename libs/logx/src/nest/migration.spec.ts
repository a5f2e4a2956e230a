import { readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  type INestApplication,
  type INestApplicationContext,
  Module,
  Req,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ClientProxyFactory, MessagePattern, Transport } from '@nestjs/microservices';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { lastValueFrom } from 'rxjs';
import { freePort } from '../../../../tools/testing/free-port.js';
import { addContextField, fromContext, runWithLogger } from '../context/logger-context.js';
import { createLogger } from '../logger/create-logger.js';
import type { Logger } from '../logger/logger.js';
import type { LoggerOptions } from '../logger/logger-options.js';
import { SAFE_REDACTION } from '../redact/safe-redaction.js';
import { assign } from '../request/assign.js';
import { loggedUntil } from '../request/logged-until.fixture.js';
import { consoleSink } from '../sinks/standard-sinks.js';
import { streamSink } from '../sinks/stream-sink.js';
import { type CollectingSink, collectingSink } from '../testing/collecting-sink.js';
import type { LoggedEvent } from '../testing/logged-events.js';
import { InjectLogger } from './inject-logger.decorator.js';
import { LogxLoggerService } from './logx-logger.service.js';
import { LogxModule } from './logx.module.js';
import type { LogxDoors } from './logx-module-options.js';
import { RequestLog } from './request-log.decorator.js';
import { REQUEST } from './running.fixture.js';
import { LOGX_LOGGER, loggerToken } from './tokens.js';

const page = readFileSync(
  new URL('../../../../docs/migrating-from-nestjs-pino.md', import.meta.url),
  'utf8',
);

/** The rows of the table of options: what they name, and whether it works. */
const rows = /\| nestjs-pino 5, [^]*?(?=\n\n)/
  .exec(page)![0]
  .split('\n')
  .slice(2)
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, options, is]) => ({ names: namesIn(options!), is: is! }));

function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
}

/** What nestjs-pino 5.2.1 and pino-http 11.0.0 declare in their types. */
const OPTIONS = [
  'forRoutes',
  'exclude',
  'useExisting',
  'renameContext',
  'assignResponse',
  'nativeLogger.structuredParams',
  'nativeLogger.flattenParams',
  'microservice: true',
  'microservice.autoLogging',
  '.useLevel',
  '.customLogLevel',
  '.genReqId',
  '.customReceivedMessage',
  '.customSuccessMessage',
  '.customErrorMessage',
  '.customReceivedObject',
  '.customSuccessObject',
  '.customErrorObject',
  'microservice.customProps',
  '.customAttributeKeys',
  '.quietRpcLogger',
  '.quietResLogger',
  '.includePayload',
  'pinoHttp.logger',
  'genReqId',
  'useLevel',
  'stream',
  'autoLogging: false',
  'autoLogging.ignore',
  'customLogLevel',
  'customReceivedMessage',
  'customSuccessMessage',
  'customErrorMessage',
  'customReceivedObject',
  'customSuccessObject',
  'customErrorObject',
  'customAttributeKeys',
  'wrapSerializers',
  'customProps',
  'quietReqLogger',
  'quietResLogger',
];

@Controller()
class Refunds {
  constructor(@InjectLogger() private readonly log: Logger) {}

  @Get('refund')
  @MessagePattern('refund')
  refund(): string {
    assign({ Order: 'o-1' });
    this.log.information('refunding');
    this.log.debug('details');
    return 'ok';
  }

  @Get('silent')
  @RequestLog('off')
  silent(): string {
    fromContext().information('silently');
    return 'ok';
  }

  @Get('debug')
  @RequestLog('debug')
  debug(): string {
    return 'ok';
  }

  @Get('log')
  log_(@Req() request: IncomingMessage & { readonly log?: Logger }): string {
    request.log?.information('by req.log');
    return 'ok';
  }
}

const apps: INestApplicationContext[] = [];
const undo: (() => void)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0)) each();
  await Promise.all(apps.splice(0).map((app) => app.close()));
});

async function appWith(options: LoggerOptions & LogxDoors): Promise<INestApplication> {
  @Module({ imports: [LogxModule.forRoot(options)], controllers: [Refunds] })
  class App {}
  const app = await NestFactory.create(App, { logger: false });
  apps.push(app);
  await app.listen(0, '127.0.0.1');
  return app;
}

/** What an app logs of requests to these paths and the one to `/end`. */
async function loggedBy(
  options: LoggerOptions & LogxDoors,
  paths: readonly string[] = ['/refund'],
  headers: Record<string, string> = {},
): Promise<CollectingSink> {
  const logged = collectingSink();
  const app = await appWith({ sinks: [logged], ...options });
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  for (const path of [...paths, '/end']) {
    await (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).text();
  }
  while (logged.last()?.['Path'] !== '/end') await new Promise((done) => setImmediate(done));
  return logged;
}

function eventOf(logged: CollectingSink, path: string): LoggedEvent | undefined {
  return [...logged.withTemplate(REQUEST)].find(({ Path }) => Path === path);
}

function lines(): { readonly stream: Writable; readonly text: () => string } {
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  return { stream, text: () => text };
}

/** What each row means that says it works, by the first name in it. */
const WORKS: Readonly<Record<string, () => unknown>> = {
  level: async () => {
    const logged = await loggedBy({ level: 'debug' });
    expect(logged.saying('details').count).toBe(1);
  },
  name: async () => {
    const logged = await loggedBy({ fields: { service: 'shop', pid: process.pid } });
    for (const event of logged) expect(event).toMatchObject({ service: 'shop', pid: process.pid });
  },
  stream: async () => {
    const { stream, text } = lines();
    const log = createLogger({ sinks: [streamSink(stream), streamSink(stream)] });
    log.information('hello');
    await log.flush();
    expect(text().match(/hello/g)!.length).toBeGreaterThan(1);
  },
  'pinoHttp.logger': async () => {
    const logged = collectingSink();
    const logger = createLogger({ sinks: [logged] });
    @Module({ imports: [LogxModule.forRoot({ logger })] })
    class App {}
    const app = await NestFactory.createApplicationContext(App, { logger: false });
    apps.push(app);
    expect(app.get<Logger>(LOGX_LOGGER)).toBe(logger);
  },
  'enabled: false': () => {
    expect(() => createLogger({ sinks: [] }).information('hello')).not.toThrow();
  },
  redact: () => {
    const logged = collectingSink();
    const redact = { ...SAFE_REDACTION, paths: ['User.name'] };
    const user = { name: 'Ada', password: 'x' };
    createLogger({ sinks: [logged], redact }).information('{User}', user);
    expect(logged.only()['User']).toEqual({ name: '[Redacted]', password: '[Redacted]' });
  },
  timestamp: () => {
    const [none, number] = [collectingSink(), collectingSink()];
    createLogger({ sinks: [none], timestamp: false }).information('hello');
    createLogger({ sinks: [number], timeFormat: 'TimeUnixMs' }).information('hello');
    expect(none.only()).not.toHaveProperty('time');
    expect(number.only().time).toEqual(expect.any(Number));
  },
  depthLimit: () => {
    const logged = collectingSink();
    const log = createLogger({ sinks: [logged], limits: { depth: 1, items: 2 } });
    log.information('{List}', [1, 2, 3]);
    expect(JSON.stringify(logged.only()['List'])).not.toContain('3,');
  },
  mixin: async () => {
    undo.push(addContextField(() => [{ name: 'Region', value: 'eu' }]));
    const logged = await loggedBy({});
    for (const event of [logged.saying('refunding').only(), eventOf(logged, '/refund')]) {
      expect(event).toMatchObject({ Region: 'eu' });
    }
  },
  'pino-pretty': () => {
    expect(consoleSink().format).toBe('console');
  },
  genReqId: async () => {
    const logged = await loggedBy({ http: { idGenerator: ({ url }) => `id:${url}` } });
    expect(eventOf(logged, '/refund')).toMatchObject({ RequestId: 'id:/refund' });
  },
  'customAttributeKeys.reqId': async () => {
    const http = { field: 'Trace', header: 'x-trace' };
    const logged = await loggedBy({ http }, ['/refund'], { 'x-trace': 't-1' });
    expect(eventOf(logged, '/refund')).toMatchObject({ Trace: 't-1' });
  },
  'autoLogging: false': async () => {
    const http = { skip: ({ url }: IncomingMessage) => url === '/refund' };
    const logged = await loggedBy({ http });
    expect(eventOf(logged, '/refund')).toBeUndefined();
    expect(logged.saying('refunding').only()).toHaveProperty('RequestId');
  },
  forRoutes: async () => {
    const logged = await loggedBy({}, ['/silent']);
    expect(eventOf(logged, '/silent')).toBeUndefined();
    expect(logged.saying('silently').only()).toHaveProperty('RequestId');
  },
  useLevel: async () => {
    const logged = await loggedBy({ level: 'debug', http: { levels: { '2xx': 'debug' } } });
    expect(eventOf(logged, '/refund')).toMatchObject({ level: 'debug' });
    const byRoute = await loggedBy({ level: 'debug' }, ['/debug']);
    expect(eventOf(byRoute, '/debug')).toMatchObject({ level: 'debug' });
  },
  customLogLevel: async () => {
    const levels = ({ status, durationMs }: { status: number; durationMs: number }) =>
      status === 404 && durationMs >= 0 ? 'info' : undefined;
    const logged = await loggedBy({ http: { levels } }, ['/nowhere']);
    expect(eventOf(logged, '/nowhere')).toMatchObject({ level: 'info' });
  },
  customProps: async () => {
    const fields = ({ headers }: IncomingMessage) => ({ Tenant: headers['x-tenant'] });
    const logged = await loggedBy({ http: { fields } }, ['/refund'], { 'x-tenant': 'acme' });
    for (const event of logged) expect(event).toMatchObject({ Tenant: 'acme' });
  },
  'req.headers': async () => {
    const http = { requestHeaders: 'all', responseHeaders: ['content-type'] } as const;
    const logged = await loggedBy({ http }, ['/refund'], { authorization: 'Bearer x' });
    expect(eventOf(logged, '/refund')).toMatchObject({
      request_headers: { authorization: '[Redacted]', host: expect.any(String) },
      response_headers: { 'content-type': expect.stringContaining('text/html') },
    });
  },
  'req.log': async () => {
    const logged = await loggedBy({ http: { reqLog: true } }, ['/log']);
    const { RequestId } = eventOf(logged, '/log')!;
    expect(logged.saying('by req.log').only()).toMatchObject({ RequestId });
  },
  assignResponse: async () => {
    const logged = await loggedBy({});
    expect(logged.saying('refunding').only()).toMatchObject({ Order: 'o-1' });
    expect(eventOf(logged, '/refund')).toMatchObject({ Order: 'o-1' });
  },
  'PinoLogger.runInContext': () => {
    const logged = collectingSink();
    const log = createLogger({ sinks: [logged] }).forContext('Job', 'mail');
    runWithLogger(log, () => {
      assign({ Run: 1 });
      fromContext().information('runs');
    });
    expect(logged.only()).toMatchObject({ Job: 'mail', Run: 1 });
  },
  'PinoLogger.root': async () => {
    const logged = collectingSink();
    const app = await appWith({ sinks: [logged] });
    app.get<Logger>(LOGX_LOGGER).information('hello');
    expect(logged.messages).toContain('hello');
  },
  Logger: async () => {
    const logged = collectingSink();
    const app = await appWith({ sinks: [logged] });
    app.get(LogxLoggerService).log('hello', 'Shop');
    expect(logged.saying('hello').only()).toMatchObject({ logger: 'Shop' });
  },
  PinoLogger: async () => {
    const logged = collectingSink();
    const app = await appWith({ sinks: [logged] });
    app.get<Logger>(loggerToken('Refunds')).information('hello');
    expect(logged.saying('hello').only()).toMatchObject({ logger: 'Refunds' });
  },
  forRootAsync: async () => {
    const logged = collectingSink();
    const useFactory = (): LoggerOptions => ({ sinks: [logged] });
    @Module({ imports: [LogxModule.forRootAsync({ useFactory })] })
    class App {}
    const app = await NestFactory.createApplicationContext(App, { logger: false });
    apps.push(app);
    app.get<Logger>(LOGX_LOGGER).information('hello');
    expect(logged.messages).toEqual(['hello']);
  },
  'microservice: true': async () => {
    const event = await eventOfMessage();
    expect(event).toMatchObject({ Order: 'o-1', handler: 'Refunds.refund' });
    expect(event).toHaveProperty('RequestId');
  },
  'microservice.customProps': async () => {
    undo.push(addContextField(({ message }) => [{ name: 'Said', value: message?.data }]));
    expect(await eventOfMessage()).toMatchObject({ Said: 'please' });
  },
};

async function eventOfMessage(): Promise<LoggedEvent> {
  const logged = collectingSink();
  @Module({ imports: [LogxModule.forRoot({ sinks: [logged] })], controllers: [Refunds] })
  class App {}
  const transport = Transport.TCP;
  const options = { host: '127.0.0.1', port: await freePort() };
  const app = await NestFactory.createMicroservice(App, { transport, options, logger: false });
  apps.push(app);
  await app.listen();
  const client = ClientProxyFactory.create({ transport, options });
  await lastValueFrom(client.send('refund', 'please'));
  await client.close();
  return (await loggedUntil(logged, 'refunding')).only();
}

describe('the table of the migration page', () => {
  it('names every option', () => {
    const named = new Set(rows.flatMap(({ names }) => names));
    expect(OPTIONS.filter((name) => !named.has(name))).toEqual([]);
  });

  it('says of each whether it works', () => {
    expect(new Set(rows.map(({ is }) => is))).toEqual(new Set(['works', 'differs', 'not there']));
  });

  it('says of those that it works which are executed below, and of no others', () => {
    const works = rows.filter(({ is }) => is === 'works').map(({ names }) => names[0]);
    expect(new Set(works)).toEqual(new Set(Object.keys(WORKS)));
  });

  it.each(Object.entries(WORKS))('%s works', async (_name, check) => {
    expect.hasAssertions();
    await check();
  });
});
