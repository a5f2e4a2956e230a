import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Injectable, Logger as NestLogger, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Logger } from '../logger/logger.js';
import { fileSink } from '../sinks/file-sink.js';
import type { SinkSpec } from '../sinks/sink.js';
import { consoleSink, stdoutSink } from '../sinks/standard-sinks.js';
import { InjectLogger } from './inject-logger.decorator.js';
import { LogxLoggerService } from './logx-logger.service.js';
import { LogxModule } from './logx.module.js';
import { LOGX_LOGGER } from './tokens.js';

const folder = mkdtempSync(join(tmpdir(), 'logx-late-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

const SINKS: Readonly<Record<string, readonly SinkSpec[]>> = {
  stdout: [stdoutSink()],
  console: [consoleSink({ color: false })],
  file: [fileSink(join(folder, 'app.log'))],
  none: [],
};

@Injectable()
class Orders {
  @InjectLogger() readonly log!: Logger;
}

@Module({
  imports: [LogxModule.forRoot({ sinks: SINKS[process.argv[2]!]!, fields: { service: 'shop' } })],
  providers: [Orders],
})
class App {}

const app = await NestFactory.createApplicationContext(App, { logger: false });
app.useLogger(app.get(LogxLoggerService));
await app.close();
app.get<Logger>(LOGX_LOGGER).information('late, by the logger');
new NestLogger('Late').error('late, by Nest');
app.get(Orders).log.warning('late, by {What}', 'an injected logger');
app.get<Logger>(LOGX_LOGGER).debug('late, and below the level');
