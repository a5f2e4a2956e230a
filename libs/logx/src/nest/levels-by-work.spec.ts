import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Controller, Get, type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { until } from '../../../../tools/testing/until.js';
import { fromContext } from '../context/logger-context.js';
import type { LevelPredicate } from '../levels/work-levels.js';
import { createLogger } from '../logger/create-logger.js';
import type { Logger } from '../logger/logger.js';
import { addToRequest, assign } from '../request/assign.js';
import { workScope } from '../request/logger-scope.js';
import { type CollectingSink, collectingSink } from '../testing/collecting-sink.js';
import { LogxModule } from './logx.module.js';

let logged: CollectingSink;
let log: Logger;
beforeEach(() => {
  logged = collectingSink();
  log = createLogger({ sinks: [logged] });
});
afterEach(() => void jest.useRealTimers());

const run = (name: string, work: () => void): void => workScope(log).run('cron', name, work);
const say = (): void => fromContext().debug('said');

describe('levels.for', () => {
  it('changes the level in the work that it chooses, and nowhere else', () => {
    log.levels.for(({ kind, name }) => (kind === 'cron' && name === 'sweep' ? 'debug' : undefined));
    run('mail', say);
    run('sweep', () => {
      say();
      expect(fromContext().enabled(20)).toBe(true);
    });
    log.debug('outside');
    expect(logged.only()).toMatchObject({ message: 'said', work: 'cron sweep' });
  });

  it('takes precedence over names and withLevel, and can make loggers say less', () => {
    log.levels.set('debug', 'loud');
    log.levels.for(() => 'error');
    run('sweep', () => {
      fromContext().named('loud').debug('no');
      fromContext().withLevel('verbose').information('no');
      fromContext().error(new Error('full'), 'yes');
    });
    expect(logged.messages).toEqual(['yes']);
  });

  it('does not reach sinks that take less', () => {
    log = createLogger({ sinks: [collectingSink({ minLevel: 'info' })] });
    log.levels.for(() => 'debug');
    run('sweep', () => expect(fromContext().enabled(20)).toBe(false));
  });

  it('asks each predicate once for each piece of work, and again after a change', () => {
    const asked: string[] = [];
    const ask: LevelPredicate = ({ name }) => void asked.push(name);
    const first = log.levels.for(ask);
    run('sweep', () => {
      say();
      say();
      expect(asked).toEqual(['sweep']);
      const second = log.levels.for(() => 'debug');
      say();
      expect(asked).toEqual(['sweep', 'sweep']);
      assign({ customer: 'c-17' });
      say();
      expect(asked).toHaveLength(3);
      second.remove();
      first.remove();
      say();
    });
    expect([asked.length, logged.count]).toEqual([3, 2]);
  });

  it('sees the fields that were assigned', () => {
    log.levels.for(({ fields }) => (fields['customer'] === 'c-17' ? 'debug' : undefined));
    run('sweep', () => {
      say();
      assign({ customer: 'c-17' });
      say();
    });
    expect(logged.only()).toMatchObject({ customer: 'c-17' });
  });

  it('uses the lowest level that is chosen', () => {
    for (const level of ['warning', 'debug', undefined, 'error'] as const) {
      log.levels.for(() => level);
    }
    run('sweep', say);
    expect(logged.count).toBe(1);
  });

  it.each<[string, LevelPredicate]>([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['returns what is not a level', () => 'loud' as never],
    [
      'logs',
      () => {
        fromContext().information('asked');
        return undefined;
      },
    ],
  ])('leaves the level as it is if the predicate %s', (_, predicate) => {
    log.levels.for(predicate);
    run('sweep', () => {
      fromContext().debug('no');
      fromContext().information('yes');
    });
    expect(logged.messages.filter((text) => text !== 'asked')).toEqual(['yes']);
  });

  it.each([
    ['a duration', { duration: '15m' }],
    ['a date', { until: new Date(15 * 60_000) }],
    ['the earlier of both', { duration: '40d', until: new Date(15 * 60_000) }],
  ])('ends after %s', (_, options) => {
    jest.useFakeTimers({ now: 0 });
    log.levels.for(() => 'debug', options);
    jest.advanceTimersByTime(14 * 60_000);
    run('sweep', say);
    jest.advanceTimersByTime(2 * 60_000);
    run('sweep', say);
    expect(logged.count).toBe(1);
  });

  it('lasts for longer than a timer of Node can wait', () => {
    jest.useFakeTimers({ now: 0 });
    log.levels.for(() => 'debug', { duration: '60d' });
    jest.advanceTimersByTime(59 * 86_400_000);
    run('sweep', say);
    jest.advanceTimersByTime(2 * 86_400_000);
    run('sweep', say);
    expect(logged.count).toBe(1);
  });

  it('adds nothing that is over already', () => {
    log.levels.for(() => 'debug', { until: new Date(0) });
    run('sweep', say);
    expect(logged.count).toBe(0);
  });

  it('refuses wrong arguments', () => {
    const add = (...args: unknown[]): unknown =>
      Reflect.apply(log.levels.for.bind(log.levels), undefined, args);
    expect(() => add('debug')).toThrow('the predicate must be a function');
    expect(() => add(() => 'debug', { durration: '1m' })).toThrow('durration');
    expect(() => add(() => 'debug', { until: 'soon' })).toThrow('until');
  });
});

@Controller()
class Orders {
  @Get('orders') orders(): string {
    fromContext().debug('looking');
    addToRequest({ customer: 'c-18' });
    fromContext().debug('found');
    return 'orders';
  }
}

describe('a request', () => {
  let app: INestApplication;
  afterEach(() => app.close());

  async function ask(predicate: LevelPredicate, headers = {}): Promise<readonly string[]> {
    log = createLogger({ sinks: [logged], level: 'warning' });
    @Module({ imports: [LogxModule.forRoot({ logger: log })], controllers: [Orders] })
    class App {}
    app = await NestFactory.create(App, { logger: false });
    await app.listen(0, '127.0.0.1');
    log.levels.for(predicate);
    const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
    await (await fetch(`http://127.0.0.1:${port}/orders?a=1`, { headers })).text();
    log.warning('done');
    await until(() => logged.messages.includes('done'));
    await app.close();
    return logged.messages.filter((text) => text !== 'done');
  }

  it.each<[string, LevelPredicate]>([
    [
      'its name',
      ({ kind, name }) => (`${kind} ${name}` === 'http GET /orders' ? 'debug' : undefined),
    ],
    [
      'its headers',
      ({ request }) => (request!.headers['x-customer'] === 'c-17' ? 'debug' : undefined),
    ],
    ['its trace', ({ traceId }) => (traceId === '1'.repeat(32) ? 'debug' : undefined)],
  ])('has a level by %s, also its own event', async (_, predicate) => {
    const traceparent = `00-${'1'.repeat(32)}-${'1'.repeat(16)}-01`;
    const said = await ask(predicate, { 'x-customer': 'c-17', traceparent });
    expect(said).toEqual(['looking', 'found', 'GET /orders -> 200']);
  });

  it('has a level by a field of its event, as soon as that is known', async () => {
    const said = await ask(({ fields }) => (fields['customer'] === 'c-18' ? 'debug' : undefined));
    expect(said).toEqual(['found', 'GET /orders -> 200']);
  });
});
