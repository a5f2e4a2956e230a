import 'reflect-metadata';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type INestApplicationContext, Injectable, Module, Scope } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, NestFactory } from '@nestjs/core';
import { CALL_STAGE, CallStage } from '../seams/call-stage.js';
import { CLOSE_LAST, CloseLast } from '../seams/close-last.js';
import { FAILURE_OBSERVER, FailureObserver } from '../seams/failure-observer.js';
import { HEALTH_SOURCE, HealthSource } from '../seams/health-source.js';
import { JOB_SOURCE, JobSource } from '../seams/job-source.js';
import { METRIC_SOURCE, MetricSource } from '../seams/metric-source.js';
import { POLICY_SOURCE, PolicySource } from '../seams/policy-source.js';
import { RELOADABLE, Reloadable } from '../seams/reloadable.js';
import { WORK_SCOPE, WorkScope } from '../seams/work-scope.js';
import { discoverMarked } from './discover-marked.js';

const MARKS = [
  ['CallStage', CallStage, CALL_STAGE],
  ['CloseLast', CloseLast, CLOSE_LAST],
  ['FailureObserver', FailureObserver, FAILURE_OBSERVER],
  ['HealthSource', HealthSource, HEALTH_SOURCE],
  ['JobSource', JobSource, JOB_SOURCE],
  ['MetricSource', MetricSource, METRIC_SOURCE],
  ['PolicySource', PolicySource, POLICY_SOURCE],
  ['Reloadable', Reloadable, RELOADABLE],
  ['WorkScope', WorkScope, WORK_SCOPE],
] as const;

let app: INestApplicationContext | undefined;
afterEach(() => app?.close());

describe.each(MARKS)('a provider that is marked as %s', (_, decorator, mark) => {
  @Injectable()
  @decorator()
  class Marked {}

  @Injectable()
  class Unmarked {}

  @Injectable({ scope: Scope.TRANSIENT })
  @decorator()
  class Transient {}

  const made = { [mark]: true };

  @Module({
    imports: [DiscoveryModule],
    providers: [
      Marked,
      Unmarked,
      Transient,
      { provide: 'again', useExisting: Marked },
      { provide: 'made', useFactory: () => made },
    ],
  })
  class App {}

  it('is found once, by its decorator or its symbol, and not where it is transient', async () => {
    app = await NestFactory.createApplicationContext(App, { logger: false });
    const found = discoverMarked(app.get(DiscoveryService), mark);
    expect(found).toHaveLength(2);
    expect(found).toContain(app.get(Marked));
    expect(found).toContain(made);
  });
});

it('a provider that is not made yet is not found', async () => {
  const found: object[] = [];

  @Injectable()
  class Early {
    constructor(discovery: DiscoveryService) {
      found.push(...discoverMarked(discovery, RELOADABLE));
    }
  }

  @Injectable()
  @Reloadable()
  class Late {
    constructor(readonly early: Early) {}
  }

  @Module({ imports: [DiscoveryModule], providers: [Early, Late] })
  class App {}

  app = await NestFactory.createApplicationContext(App, { logger: false });
  expect(found).toEqual([]);
  expect(discoverMarked(app.get(DiscoveryService), RELOADABLE)).toEqual([app.get(Late)]);
});
