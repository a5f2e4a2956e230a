// One Nest app with one way of logging its requests: `app.mjs <adapter> <variant> <log file>`.
import 'reflect-metadata';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes, randomUUID } from 'node:crypto';
import { openSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Controller, type DynamicModule, Get, Module, Param } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { LoggerModule } from 'nestjs-pino';
import pino from 'pino';
import winston from 'winston';
import { LogxModule, type LogxModuleOptions, fromContext } from '@apix/logx';

const [adapter = '', variant = '', file = ''] = process.argv.slice(2);

/** Requests that have not been answered. */
let opened = 0;

@Controller('orders')
class OrdersController {
  @Get(':id')
  find(@Param('id') id: string): object {
    return { id, lines: [{ sku: 'A-1', count: 2 }], total: 41.5 };
  }

  /** As handlers are that ask a database. */
  @Get(':id/waited')
  async waited(@Param('id') id: string): Promise<object> {
    await delay(1);
    return this.find(id);
  }

  /** With events below the level. */
  @Get(':id/noted')
  async noted(@Param('id') id: string): Promise<object> {
    for (let step = 1; step <= 5; step++) {
      fromContext().debug('Step {Step} of {OrderId}: {Sku}', step, id, 'A-1');
    }
    return this.waited(id);
  }

  /** Stays open, with as many events as are kept of a request, and more. */
  @Get(':id/open')
  open(@Param('id') id: string): Promise<object> {
    opened++;
    for (let row = 0; row < 400; row++) {
      fromContext().debug('Row {Row} of {OrderId}: {Text}', row, id, `${row} `.repeat(40));
    }
    return new Promise(() => {});
  }
}

type Request = IncomingMessage & { originalUrl?: string };

const pathOf = ({ originalUrl, url = '' }: Request): string =>
  (originalUrl ?? url).split('?', 1)[0];

/** What the spec's event has, and what each of the others is made to write. */
function fieldsOf(req: Request, res: ServerResponse, durationMs: number): object {
  return {
    Method: req.method,
    Path: pathOf(req),
    Status: res.statusCode,
    status: res.statusCode,
    bytes: Number(res.getHeader('content-length') ?? 0),
    remote: `${req.socket.remoteAddress}:${req.socket.remotePort}`,
    duration_ms: durationMs,
    user_agent: req.headers['user-agent'],
  };
}

const messageOf = (req: Request, res: ServerResponse): string =>
  `${req.method} ${pathOf(req)} -> ${res.statusCode}`;

function requestId(req: Request, res: ServerResponse): string {
  const sent = req.headers['x-request-id'];
  const id = typeof sent === 'string' ? sent : randomBytes(16).toString('hex');
  res.setHeader('X-Request-Id', id);
  return id;
}

function nestjsPino(): DynamicModule {
  return LoggerModule.forRoot({
    // Its default, `{/*splat}`, matches nothing on Nest 12's Fastify.
    forRoutes: ['*splat'],
    pinoHttp: {
      stream: pino.destination({ dest: file, sync: false, minLength: 4096 }),
      timestamp: pino.stdTimeFunctions.isoTime,
      base: null,
      messageKey: 'message',
      formatters: { level: (label) => ({ level: label }) },
      genReqId: requestId,
      quietReqLogger: true,
      quietResLogger: true,
      customAttributeKeys: { reqId: 'RequestId' },
      customSuccessObject: (req, res, { responseTime }) => fieldsOf(req, res, responseTime),
      customSuccessMessage: messageOf,
    },
  });
}

function winstonMiddleware(): (req: Request, res: ServerResponse, next: () => void) => void {
  const { combine, timestamp, json } = winston.format;
  const logger = winston.createLogger({
    format: combine(timestamp({ alias: 'time' }), json()),
    transports: [new winston.transports.File({ filename: file })],
  });
  return (req, res, next) => {
    const started = performance.now();
    const child = logger.child({ RequestId: requestId(req, res) });
    res.on('finish', () => {
      child.info(messageOf(req, res), fieldsOf(req, res, performance.now() - started));
    });
    next();
  };
}

/** What any logger has to do whose lines know their request, and nothing else. */
function runInContext(server: Server): void {
  const storage = new AsyncLocalStorage<object>();
  const emit = server.emit.bind(server);
  server.emit = (event: string, ...args: unknown[]) =>
    event === 'request' ? storage.run({}, () => emit(event, ...args)) : emit(event, ...args);
}

/**
 * Short code that writes the same line: nothing can be chosen, and no error is in it. One in `every` requests has a
 * line.
 */
function logByHand(server: Server, every: number): void {
  const storage = new AsyncLocalStorage<string>();
  const target = openSync(file, 'a');
  const emit = server.emit.bind(server);
  let text = '';
  let count = 0;
  const writeOut = (): void => {
    writeSync(target, text);
    text = '';
  };
  const write = (req: Request, res: ServerResponse, id: string, started: number): void => {
    const path = JSON.stringify(pathOf(req)).slice(1, -1);
    const { statusCode: status } = res;
    if (text === '') setImmediate(writeOut);
    text +=
      `{"level":"information","time":"${new Date().toISOString()}","RequestId":"${id}","Method":"${req.method}",` +
      `"Path":"${path}","Status":${status},"status":${status},"bytes":${Number(res.getHeader('content-length') ?? 0)},` +
      `"remote":"${req.socket.remoteAddress}:${req.socket.remotePort}","duration_ms":${performance.now() - started},` +
      `"user_agent":${JSON.stringify(req.headers['user-agent'])},"stands_for":${every},` +
      `"message":"${req.method} ${path} -> ${status}"}\n`;
  };
  server.emit = (event: string, ...args: unknown[]) => {
    if (event !== 'request') return emit(event, ...args);
    const [req, res] = args as [Request, ServerResponse];
    const started = performance.now();
    const id = randomUUID();
    res.setHeader('X-Request-Id', id);
    if (++count % every === 0) res.on('close', () => write(req, res, id, started));
    return storage.run(id, () => emit(event, req, res));
  };
}

const sink = { type: 'file', path: file };

const LOGX: Readonly<Record<string, LogxModuleOptions>> = {
  logx: { sinks: [sink] },
  'logx, gather': { sinks: [{ ...sink, gather: 5 }] },
  'logx, async': { sinks: [{ ...sink, async: 100_000 }] },
  'logx, buffer': { sinks: [sink], bufferOnFailure: true },
  'logx, sample': { sinks: [sink], http: { sample: 100 } },
};

function imports(): DynamicModule[] {
  if (variant === 'nestjs-pino') return [nestjsPino()];
  const logx = LOGX[variant];
  return logx === undefined ? [] : [LogxModule.forRoot(logx)];
}

@Module({ imports: imports(), controllers: [OrdersController] })
class AppModule {}

const app = await NestFactory.create(
  AppModule,
  adapter === 'fastify' ? new FastifyAdapter() : new ExpressAdapter(),
  { logger: false },
);
if (variant === 'winston') app.use(winstonMiddleware());
if (variant === 'context') runInContext(app.getHttpServer());
if (variant === 'by hand') logByHand(app.getHttpServer(), 1);
if (variant === 'by hand, sample') logByHand(app.getHttpServer(), 100);
await app.listen(0, '127.0.0.1');

process.on('message', (asked) => {
  if (asked === 'memory') {
    globalThis.gc!();
    process.send!({ ...process.memoryUsage(), opened });
  }
  if (asked === 'cpu') process.send!(process.cpuUsage());
  // The loggers write out what is left by themselves.
  if (asked === 'stop') void app.close().then(() => setTimeout(() => process.exit(), 300));
});
process.send!({ port: app.getHttpServer().address().port });
