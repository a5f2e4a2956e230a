import { type IncomingMessage, request } from 'node:http';
import {
  HEALTH_SOURCE,
  type HealthSource,
  JOB_SOURCE,
  type JobSource,
  type JobState,
  METRIC_SOURCE,
  type MetricSource,
} from '@apix/contracts';
import { untilAborted } from '@apix/contracts/internal';
import {
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
  Injectable,
  Module,
} from '@nestjs/common';
import type { PageView } from '../page-view.js';
import { HostedService, HostxModule } from '@apix/hostx';
import { HostPageModule, type HostPageModuleOptions } from './host-page.module.js';

/** The views that a stream has sent so far, and how it ends. */
export interface Streaming {
  readonly response: IncomingMessage;
  readonly views: PageView[];
  readonly next: (is: (view: PageView) => boolean) => Promise<PageView>;
  readonly ended: Promise<void>;
}

function portOf(app: INestApplication): number {
  return (app.getHttpServer().address() as { port: number }).port;
}

export function get(
  app: INestApplication,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: portOf(app), path, headers, method, agent: false }, resolve)
      .on('error', reject)
      .end();
  });
}

export async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return text;
}

export async function follow(app: INestApplication, path = '/host/stream'): Promise<Streaming> {
  const response = await get(app, path);
  const views: PageView[] = [];
  const waiting = new Set<() => void>();
  let rest = '';
  response.on('data', (data: Buffer) => {
    const parts = (rest + data.toString()).split('\n\n');
    rest = parts.pop()!;
    for (const part of parts.filter((it) => it.startsWith('data: '))) {
      views.push(JSON.parse(part.slice(6)) as PageView);
    }
    for (const look of waiting) look();
  });
  return {
    response,
    views,
    ended: new Promise((resolve, reject) => {
      response.on('end', resolve);
      response.on('error', reject);
    }),
    next: (is) =>
      new Promise((resolve) => {
        const look = (): void => {
          const view = views.find(is);
          if (view === undefined) return;
          waiting.delete(look);
          resolve(view);
        };
        waiting.add(look);
        look();
      }),
  };
}

@Injectable()
export class KeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<IncomingMessage>();
    return headers['x-key'] === 'open';
  }
}

@HostedService({ name: 'outbox', restart: { initialDelay: '1h', maxDelay: '1h' } })
export class Outbox implements HealthSource, MetricSource {
  readonly [HEALTH_SOURCE] = true as const;
  readonly [METRIC_SOURCE] = true as const;
  crash = (_error: Error): void => {};

  async start(signal: AbortSignal): Promise<void> {
    await Promise.race([
      untilAborted(signal),
      new Promise<never>((_, reject) => (this.crash = reject)),
    ]);
  }

  healthChecks() {
    return [{ name: 'backlog', affects: 'ready', check: () => {} } as const];
  }

  *metrics() {
    yield {
      name: 'outbox.sent',
      kind: 'counter',
      value: 12,
      unit: 'By',
      description: 'Sent',
      attributes: { to: 'shop', by: 'mail' },
    } as const;
  }
}

export const job: JobState = {
  name: 'sweep',
  schedule: 'every 10m',
  phase: 'waiting',
  next: new Date(9_000),
  lastStart: new Date(1_000),
  lastDurationMs: 5,
  lastOutcome: 'failed',
  lastError: 'boom',
  runs: 3,
  failures: 1,
};

@Injectable()
class Jobs implements JobSource {
  readonly [JOB_SOURCE] = true as const;
  jobs() {
    return [job];
  }
}

@Injectable()
class BrokenJobs implements JobSource {
  readonly [JOB_SOURCE] = true as const;
  jobs(): never {
    throw new Error('boom');
  }
}

export function moduleWith(options: HostPageModuleOptions, ...imports: object[]) {
  @Module({
    imports: [HostxModule.forRoot({}), HostPageModule.forRoot(options), ...(imports as [])],
    providers: [Outbox, BrokenJobs, Jobs],
  })
  class App {}
  return App;
}
