// What is measured, by name: each does its work with `size` things and returns the microseconds
// of CPU that it took.
import { fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { deadlineAfter, systemClock } from '@apix/contracts';
import { Authorizer } from '@apix/authz/core';
import { orderStages } from '@apix/calls';
import { every } from '@apix/cron/core';
import { Host, httpService, serviceFunc } from '@apix/hostx/core';
import { HealthRegistry } from '@apix/hostx/health';
import { createLogger, customSink } from '@apix/logx/core';
import { ProtoRegistry } from '@apix/proto/core';
import { policySet } from '../../libs/authz/src/policy-set.fixture.js';
import { parsePathTemplate } from '../../libs/gateway/src/template/path-template.js';
import { RouteTable } from '../../libs/gateway/src/template/route-table.js';
import { HostPicture } from '../../libs/hostx-os/src/sdnotify/host-picture.js';
import { resolveHostPage } from '../../libs/host-page/src/host-page-options.js';
import { PageFeed } from '../../libs/host-page/src/page-feed.js';

type Subject = (size: number) => Promise<number>;

/** For what takes too little to be measured once. */
const REPEATS = 20;

const many = (size: number): number[] => Array.from({ length: size }, (_, index) => index);
const forever = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
const service = (index: number) => serviceFunc(`s${index}`, forever);
type Builder = ReturnType<typeof Host.builder>;

async function cpu(work: () => unknown): Promise<number> {
  const begun = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begun);
  return user + system;
}

/** Builds a host, starts it and stops it. */
const hostOf =
  (fill: (builder: Builder, size: number) => void): Subject =>
  (size) =>
    cpu(async () => {
      const builder = Host.builder();
      fill(builder, size);
      const host = builder.build();
      const run = host.runContext();
      if (!(await host.started)) throw new Error('the host did not start');
      host.shutdown();
      await run;
    });

const named = (names: readonly number[]): string[] => names.map((name) => `s${name}`);

const hosts: Record<string, Subject> = {
  'services, one after the other': hostOf((builder, size) => {
    for (const index of many(size)) builder.addService(service(index));
  }),
  'services at once': hostOf((builder, size) => {
    for (const index of many(size)) builder.addService(service(index), { after: [] });
  }),
  'services after a later one each': hostOf((builder, size) => {
    const half = size / 2;
    for (const index of many(size)) {
      const after = index < half ? named([index + half]) : undefined;
      builder.addService(service(index), { after });
    }
  }),
  'a service after all later ones': hostOf((builder, size) => {
    for (const index of many(size)) {
      const after = index === 0 ? named(many(size).slice(1)) : undefined;
      builder.addService(service(index), { after });
    }
  }),
  'services and jobs, half and half': hostOf((builder, size) => {
    for (const index of many(size)) {
      if (index % 2 === 0) builder.addService(service(index), { after: [] });
      else {
        const job = every(`s${index}`, '1h', () => {});
        builder.addService(job, { after: [], tier: 'transport' });
      }
    }
  }),
  'startup tasks and hooks': hostOf((builder, size) => {
    for (const index of many(size)) {
      builder.addStartupTask(`t${index}`, () => {});
      builder
        .onStarted(() => {})
        .onStopping(() => {})
        .onStopped(() => {});
    }
  }),
  observers: hostOf((builder, size) => {
    builder.addService(service(0));
    for (const _ of many(size)) builder.withObserver({ hostPhaseChanged: () => {} });
  }),
  'services with the status of systemd': hostOf((builder, size) => {
    let length = 0;
    builder.withObserver(new HostPicture(({ text }) => (length += text.length)).observer);
    for (const index of many(size)) builder.addService(service(index), { after: [] });
  }),
};

async function probes(registry: HealthRegistry): Promise<number> {
  await registry.ready();
  return cpu(() => registry.ready());
}

const health: Record<string, Subject> = {
  'health checks, per probe': (size) => {
    const checks = many(size).map((index) => ({
      name: `c${index}`,
      affects: 'ready' as const,
      check: () => {},
    }));
    const registry = new HealthRegistry({ checks });
    registry.setReady(true);
    return probes(registry);
  },
  'services, per probe of health': async (size) => {
    const registry = new HealthRegistry();
    const builder = Host.builder();
    registry.bind(builder);
    for (const index of many(size)) builder.addService(service(index), { after: [] });
    const host = builder.build();
    const run = host.runContext();
    await host.started;
    const cost = await probes(registry);
    host.shutdown();
    await run;
    return cost;
  },
};

const page: Record<string, Subject> = {
  'viewers of the host page, per message': async (size) => {
    let tick = (): void => {};
    const clock = {
      now: () => 0,
      after: (_: number, fn: () => void) => {
        tick = fn;
        return () => {};
      },
    };
    const options = resolveHostPage({ viewers: size, clock });
    const feed = new PageFeed(options, {
      state: () => ({ phase: 'running', since: 0, services: [] }),
      environment: () => 'Test',
      health: () => new HealthRegistry(),
      jobs: [],
      metrics: [],
    });
    for (const _ of many(size)) feed.view(viewer());
    feed.start();
    const cost = await cpu(() => tick());
    feed.stop();
    return cost;
  },
};

function viewer(): ServerResponse {
  const response = Object.assign(new EventEmitter(), {
    req: { method: 'GET' },
    writableLength: 0,
    writeHead: () => response,
    write: () => true,
    end: () => response,
  });
  return response as unknown as ServerResponse;
}

/** Keep-alive connections, each after one request. */
const drain =
  (http2: boolean): Subject =>
  async (size) => {
    const http = httpService({
      http2,
      port: 0,
      host: '127.0.0.1',
      drain: { delay: 0 },
      handler: (_, response) => response.end('ok'),
    });
    const controller = new AbortController();
    const ended = http.start(controller.signal);
    await http.ready();
    const port = Number(http.addr.split(':').at(-1));
    const clients = fork(fileURLToPath(import.meta.resolve('./clients.mjs')), [
      `${port}`,
      `${size}`,
      http2 ? 'http2' : 'http1',
    ]);
    await once(clients, 'message');
    const deadline = deadlineAfter(60_000, systemClock);
    const cost = await cpu(async () => {
      controller.abort();
      await Promise.all([http.stop(deadline), ended]);
    });
    deadline.dispose();
    clients.kill();
    return cost;
  };

function logger(sinks: number) {
  const sink = () => customSink({ write: () => {} });
  return createLogger({ sinks: many(sinks).map(sink) });
}

const logs: Record<string, Subject> = {
  'sinks, per event': (size) => {
    const log = logger(size);
    log.information('warm');
    return cpu(() => {
      for (let at = 0; at < REPEATS; at++) log.information('Order {Order} paid', at);
    });
  },
  'fields, per event': (size) => {
    const fields = Object.fromEntries(many(size).map((index) => [`f${index}`, index]));
    const log = logger(1);
    log.information('warm');
    return cpu(() => {
      for (let at = 0; at < REPEATS; at++) log.information('Order {Order} paid', fields);
    });
  },
  'contexts, one in the other': (size) =>
    cpu(() => {
      let log = logger(1);
      for (const index of many(size)) log = log.forContext('Depth', index);
      log.information('deep');
    }),
};

const calls: Record<string, Subject> = {
  'RPCs with policies, built': async (size) => {
    const methods = Object.fromEntries(
      many(size).map((index) => [`M${index}`, { requires: { roles: { anyOf: ['staff'] } } }]),
    );
    const set = policySet({ S: { methods } });
    return cpu(() => new Authorizer(ProtoRegistry.load(set), { subject: () => null }));
  },
  'RPCs with policies, each decided once': async (size) => {
    const methods = Object.fromEntries(
      many(size).map((index) => [`M${index}`, { requires: { roles: { anyOf: ['staff'] } } }]),
    );
    const registry = ProtoRegistry.load(policySet({ S: { methods } }));
    const authorizer = new Authorizer(registry, { subject: () => null });
    const who = { id: 'a', roles: ['staff'], permissions: [] };
    return cpu(() => {
      for (const index of many(size)) authorizer.authorize(undefined, `/test.S/M${index}`, who);
    });
  },
  'routes, added and each matched once': (size) =>
    cpu(() => {
      const table = new RouteTable<number>();
      for (const index of many(size)) {
        table.add('GET', parsePathTemplate(`/v1/r${index}/{name}`), index);
      }
      for (const index of many(size)) table.match('GET', `/v1/r${index}/a`);
    }),
  'call stages': (size) => {
    const stages = many(size).map((index) => ({
      name: `s${index}`,
      before: index === 0 ? [] : [`s${index - 1}`],
      bind: () => ({}),
    }));
    return cpu(() => orderStages(stages));
  },
};

export const subjects: Record<string, Subject> = {
  ...hosts,
  ...health,
  ...page,
  'connections at the drain': drain(false),
  'sessions of HTTP/2 at the drain': drain(true),
  ...logs,
  ...calls,
};
