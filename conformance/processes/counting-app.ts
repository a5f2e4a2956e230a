import 'reflect-metadata';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HostxModule, runHost } from '@apix/hostx';
import { createLogger, fileSink, stdoutSink } from '@apix/logx';
import { MetricsModule, prometheusHandler } from '@apix/otel';
import { Controller, Get, type INestApplication, Module } from '@nestjs/common';

/** Serves an endpoint that counts its requests, and what it has counted. */
const { handler, meterProvider } = prometheusHandler({ scopeInfo: false });
const hits = meterProvider.getMeter('site').createCounter('hits');
const sizes = meterProvider.getMeter('site').createHistogram('sizes');

/** Longer than what the system writes to a pipe as a whole. */
const PAD = 'x'.repeat(6_000);
/** A file that rotates every few lines, besides standard output; absent: only that. */
const logFile = process.env['LOG_FILE'];
const logger = createLogger({
  sinks:
    logFile === undefined
      ? [stdoutSink({ format: 'json' })]
      : [fileSink(logFile, { format: 'json', rotation: { maxSizeMB: 0.25, compress: true } })],
});
let logged = 0;

@Controller()
class Site {
  @Get('now') now() {
    hits.add(1);
    sizes.record(3);
    return 'now';
  }
  @Get('log') async log() {
    logger.information('Line {Seq} of {Pid}', logged++, process.pid, { pad: PAD });
    await logger.flush();
    return 'now';
  }
}

@Module({
  imports: [HostxModule.forRoot({ logger: null }), MetricsModule.forRoot({ path: '/own' })],
  controllers: [Site],
})
class Counting {}

let app: INestApplication;
await runHost(Counting, {
  nest: { logger: false },
  http: { port: 0, host: '127.0.0.1' },
  drain: { delay: Number(process.argv[4]) },
  configure(created) {
    app = created;
    created.use('/metrics', handler);
  },
  extend(builder) {
    builder.onStarted(() => {
      const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
      process.stdout.write(`ready ${port} 0\n`);
    });
  },
});
