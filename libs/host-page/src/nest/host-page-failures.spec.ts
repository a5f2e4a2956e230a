import { describe, expect, it } from '@jest/globals';
import { SERVED_REQUESTS, type RequestFollower, type ServedRequests } from '@apix/contracts';
import { HealthModule } from '@apix/hostx/health';
import { HealthRegistry } from '@apix/hostx/core';
import { startHost } from '@apix/hostx/testing';
import { Injectable, Module } from '@nestjs/common';
import { follow, moduleWith } from './host-page.fixture.js';

@Injectable()
class Requests implements ServedRequests {
  readonly [SERVED_REQUESTS] = true as const;
  readonly followers = new Set<RequestFollower>();
  follow(follower: RequestFollower): () => void {
    this.followers.add(follower);
    return () => this.followers.delete(follower);
  }
}

@Module({ providers: [Requests] })
class RequestsModule {}

describe('the routes on the host page', () => {
  it('are counted while nobody looks, and sent once for each moment', async () => {
    const options = { public: true, interval: '100ms', history: '6s' } as const;
    const { app, stop } = await startHost(moduleWith(options, RequestsModule));
    const { followers } = app!.get(Requests, { strict: false });
    for (const take of followers) take('GET /orders', 5, 'failed');
    const stream = await follow(app!);
    const failures = (): number[] =>
      stream.views.map(({ sections }) =>
        (sections.overview?.routes?.routes ?? []).flatMap(({ failed }) => failed).indexOf(1),
      );
    await stream.next(() => failures().some((at) => at >= 0));
    await stream.next(() => stream.views.length > 12);
    const sent = stream.views.flatMap(({ full, sections }) =>
      full ? [] : [sections.overview?.routes?.at],
    );
    const moments = sent.filter((at) => at !== undefined);
    expect(new Set(moments).size).toBe(moments.length);
    await stop();
    expect(followers.size).toBe(0);
  });

  it('are not sent where nothing knows of requests', async () => {
    const { app } = await startHost(moduleWith({ public: true }));
    const { sections } = await (await follow(app!)).next(() => true);
    expect(sections.overview).not.toHaveProperty('routes');
  });
});

it('the events have a check that fails in a probe while nobody looks, and that it passes again', async () => {
  const { app } = await startHost(moduleWith({ public: true }, HealthModule.forRoot()));
  const registry = app!.get(HealthRegistry, { strict: false });
  let backlog = 3;
  const check = (): boolean => backlog < 100;
  registry.add({ name: 'queue', affects: 'ready', check });
  await registry.ready();
  backlog = 100;
  await registry.ready();
  await registry.ready();
  backlog = 3;
  await registry.ready();
  const { events } = await (await follow(app!)).next(() => true);
  const told = events.filter(({ subject }) => subject === 'queue');
  expect(told.map(({ level, text }) => `${level}: ${text}`)).toEqual([
    'error: the check fails: the check returned false',
    'information: the check passes again',
  ]);
});
