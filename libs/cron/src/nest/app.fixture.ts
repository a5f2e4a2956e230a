import { EventEmitter } from 'node:events';
import {
  Injectable,
  Logger,
  type LoggerService,
  Module,
  type ModuleMetadata,
  type Type,
} from '@nestjs/common';
import type { CronModuleOptions } from './cron-options.js';
import { CronModule } from './cron.module.js';
import { At, Every } from './job.decorators.js';

/** What happened, in order. */
export const log: string[] = [];
export const events = new EventEmitter();

export function happened(what: string): void {
  log.push(what);
  events.emit(what);
}

/** An app with these providers, and the jobs on them. */
export function appOf(
  providers: Type[],
  options: CronModuleOptions = {},
  others: ModuleMetadata = {},
) {
  @Module({
    ...others,
    imports: [CronModule.forRoot(options), ...(others.imports ?? [])],
    providers,
  })
  class App {}
  return App;
}

@Injectable()
export class Outbox {
  backlog = 7;

  @Every('sweep', '1h', { runImmediately: true }) async sweep(signal: AbortSignal): Promise<void> {
    await Promise.resolve();
    happened(`sweep of ${this.backlog}, ${signal.aborted}`);
  }

  @At('report', '0 3 * * *', { timeZone: 'Europe/Berlin' }) report(): void {
    happened('report');
  }
}

@Injectable()
export class Failing {
  @Every('fail', '1h') fail(): Promise<void> {
    return Promise.reject(new Error('no disk'));
  }
}

class NestLog implements LoggerService {
  readonly lines: string[] = [];
  log(): void {}
  warn(...parts: unknown[]): void {
    this.lines.push(`warn ${parts.join(' ')}`);
  }
  error(...parts: unknown[]): void {
    this.lines.push(`error ${parts.filter(Boolean).join(' ')}`);
  }
}

/** The calls of Nest's logger during a test. */
export function nestLog(): string[] {
  const logger = new NestLog();
  Logger.overrideLogger(logger);
  return logger.lines;
}
