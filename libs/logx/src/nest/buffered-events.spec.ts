import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '@apix/contracts';
import {
  Controller,
  Get,
  type INestApplication,
  InternalServerErrorException,
  Module,
  NotFoundException,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ClientProxyFactory, MessagePattern, Transport } from '@nestjs/microservices';
import fc from 'fast-check';
import { lastValueFrom } from 'rxjs';
import { freePort } from '../../../../tools/testing/free-port.js';
import { until } from '../../../../tools/testing/until.js';
import { loadConfig } from '../config/load-config.js';
import { fromContext } from '../context/logger-context.js';
import type { BufferOptions } from '../logger/buffer-options.js';
import { createLogger } from '../logger/create-logger.js';
import type { Logger } from '../logger/logger.js';
import { everyN } from '../logger/sampling.js';
import { workScope } from '../request/logger-scope.js';
import { type CollectingSink, collectingSink } from '../testing/collecting-sink.js';
import { InjectLogger } from './inject-logger.decorator.js';
import { LogxModule } from './logx.module.js';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

async function talk(): Promise<void> {
  fromContext().debug('first {N}', 1);
  await nextTurn();
  fromContext().information('second {N}', 2);
  fromContext().debug('third {N}', 3);
}

@Controller()
class Orders {
  constructor(@InjectLogger('orders') private readonly log: Logger) {}

  @Get('fine') async fine(): Promise<string> {
    await talk();
    return 'fine';
  }

  @Get('missing') async missing(): Promise<void> {
    await talk();
    throw new NotFoundException();
  }

  @Get('broken') async broken(): Promise<void> {
    await talk();
    throw new RangeError('no such page');
  }

  @Get('unavailable') async unavailable(): Promise<void> {
    await talk();
    this.log.debug('fourth');
    throw new InternalServerErrorException();
  }

  @MessagePattern('broken') async refuse(): Promise<void> {
    await talk();
    throw new RangeError('no such page');
  }
}

let logged: CollectingSink;
let app: INestApplication | undefined;
beforeEach(() => void (logged = collectingSink()));
afterEach(async () => {
  await app?.close();
  app = undefined;
});

async function start(bufferOnFailure: boolean | BufferOptions): Promise<string> {
  const options = { sinks: [logged], level: 'information', bufferOnFailure } as const;
  @Module({ imports: [LogxModule.forRoot(options)], controllers: [Orders] })
  class App {}
  app = await NestFactory.create(App, { logger: false, abortOnError: false });
  await app.listen(0, '127.0.0.1');
  return `http://127.0.0.1:${((app.getHttpServer() as Server).address() as AddressInfo).port}`;
}

async function ask(at: string, path: string): Promise<void> {
  await (await fetch(`${at}${path}`)).text();
  await until(() => [...logged].some(({ Path }) => Path === path));
}

const said = (): unknown[] =>
  [...logged].map(({ message, buffered }) => (buffered === true ? [message] : message));

describe('events below the level', () => {
  it.each([
    ['/fine', ['second 2', 'GET /fine -> 200']],
    ['/missing', ['second 2', 'GET /missing -> 404']],
    [
      '/broken',
      ['second 2', ['first 1'], ['third 3'], 'panic recovered: no such page', 'GET /broken -> 500'],
    ],
    ['/unavailable', ['second 2', ['first 1'], ['third 3'], ['fourth'], 'GET /unavailable -> 500']],
  ])('of %s are written only if it fails, in order and marked', async (path, expected) => {
    await ask(await start(true), path);
    expect(said()).toEqual(expected);
    const ids = new Set([...logged].map(({ RequestId }) => RequestId));
    expect(ids.size).toBe(1);
  });

  it('are not kept by default', async () => {
    await ask(await start(false), '/unavailable');
    expect(said()).toEqual(['second 2', 'GET /unavailable -> 500']);
  });

  it('are written if the request is slow', async () => {
    await ask(await start({ slow: 0 }), '/fine');
    expect(said()).toEqual(['second 2', ['first 1'], ['third 3'], 'GET /fine -> 200']);
  });

  it('of a message are written if it fails', async () => {
    const at = await start(true);
    const options = { host: '127.0.0.1', port: await freePort() };
    app!.connectMicroservice({ transport: Transport.TCP, options }, { inheritAppConfig: true });
    await app!.startAllMicroservices();
    const client = ClientProxyFactory.create({ transport: Transport.TCP, options });
    await lastValueFrom(client.send('broken', {})).catch(() => {});
    await client.close();
    expect(at).toBeDefined();
    expect(said()).toEqual(['second 2', ['first 1'], ['third 3'], 'message broken -> INTERNAL']);
  });
});

/** Runs a job as a host does. */
async function run(log: Logger, work: () => unknown): Promise<void> {
  await workScope(log)
    .run('cron', 'sweep', async () => work())
    .catch(() => {});
}

const fails = (): never => {
  throw new Error('full');
};

describe('a job', () => {
  const logger = (bufferOnFailure: boolean | BufferOptions, minLevel?: 'info'): Logger =>
    createLogger({
      level: 'warning',
      bufferOnFailure,
      sinks: minLevel === undefined ? [logged] : [logged, (quiet = collectingSink({ minLevel }))],
    });
  let quiet: CollectingSink;

  it('that fails has its events written; of one that ends well they are dropped', async () => {
    const log = logger(true);
    await run(log, () => fromContext().debug('well'));
    await run(log, () => {
      fromContext().debug('bad');
      fails();
    });
    expect(said()).toEqual([['bad']]);
    expect(logged.only()).toMatchObject({ work: 'cron sweep', level: 'debug', buffered: true });
  });

  it('keeps the last events within its bounds, and says how many were dropped', async () => {
    const log = logger({ events: 3 });
    await run(log, () => {
      for (let i = 0; i < 10; i++) fromContext().debug('{I}', i);
      fails();
    });
    expect(logged.first()).toMatchObject({ level: 'warn', Dropped: 7, Events: 3, buffered: true });
    expect(said().slice(1)).toEqual([['7'], ['8'], ['9']]);
  });

  it('keeps as many as a configuration document says', async () => {
    const document = loadConfig('{ level: warning, bufferOnFailure: { events: 2 } }');
    const log = createLogger({ ...document.options(), sinks: [logged] });
    await run(log, () => {
      for (let i = 0; i < 4; i++) fromContext().debug('{I}', i);
      fails();
    });
    expect(said().slice(1)).toEqual([['2'], ['3']]);
  });

  it('keeps no more bytes than it may, and nothing that is larger', async () => {
    const log = logger({ bytes: 3_000 });
    await run(log, () => {
      for (let i = 0; i < 5; i++) fromContext().debug('{I} {Text}', i, 'x'.repeat(500));
      fails();
    });
    expect(logged.first()).toMatchObject({ Dropped: 3, Bytes: 3_000 });
    expect([...logged].slice(1).map(({ I }) => I)).toEqual([3, 4]);
    logged.clear();
    await run(log, () => {
      fromContext().debug('small');
      fromContext().debug('{Text}', 'x'.repeat(2_000));
      fails();
    });
    expect(logged.first()).toMatchObject({ Dropped: 1 });
    expect(said().slice(1)).toEqual([['small']]);
    logged.clear();
    await run(log, () => {
      fromContext().debug('{Text}', 'x'.repeat(2_000));
      fails();
    });
    expect(logged.only()).toMatchObject({ Dropped: 1 });
  });

  it('keeps events that sampling would leave out', async () => {
    const log = createLogger({ sinks: [logged], bufferOnFailure: true, sampling: everyN(0) });
    await run(log, () => {
      fromContext().debug('bad');
      fails();
    });
    expect(said()).toEqual([['bad']]);
  });

  it('keeps nothing that no sink takes', async () => {
    const sinks = [collectingSink({ minLevel: 'info' })];
    const log = createLogger({ sinks, bufferOnFailure: true });
    await run(log, () => expect(fromContext().enabled(20)).toBe(false));
  });

  it('has the time at which they were logged, and the values of then', async () => {
    let now = 1_000;
    const clock = { ...systemClock, now: () => now };
    const log = createLogger({ sinks: [logged], bufferOnFailure: true, clock });
    const order = { lines: [1], note: 'before' };
    await run(log, () => {
      fromContext().debug('{Order}', order);
      order.note = 'after';
      order.lines.push(2);
      now = 9_000;
      fails();
    });
    expect(logged.only()).toMatchObject({
      time: '1970-01-01T00:00:01Z',
      Order: { lines: [1], note: 'before' },
    });
  });

  it('keeps nothing that was logged alive', async () => {
    const log = logger(true);
    let held = new WeakRef<object>({});
    await run(log, async () => {
      (() => {
        const value = { name: 'large', body: Buffer.alloc(1_000) };
        held = new WeakRef(value);
        fromContext().debug('{@Value}', { value });
      })();
      await nextTurn();
      gc();
      expect(held.deref()).toBeUndefined();
    });
  });

  it('has its events in one order with those of the work inside of it', async () => {
    const log = logger(true);
    await run(log, async () => {
      fromContext().debug('outer');
      await run(log, () => fromContext().debug('inner'));
      fromContext().debug('outer again');
      fails();
    });
    expect(said()).toEqual([['outer'], ['inner'], ['outer again']]);
  });

  it('writes them to the sinks that take their level', async () => {
    const log = logger(true, 'info');
    await run(log, () => {
      fromContext().debug('bad');
      fromContext().information('told');
      fails();
    });
    expect([said(), quiet.messages]).toEqual([[['bad'], ['told']], ['told']]);
  });

  it('follows levels of names, and leaves out what is below the level of the option', async () => {
    const log = logger(true);
    log.levels.set('debug', 'loud');
    await run(log, () => {
      fromContext().named('loud').debug('now');
      fromContext().named('other').debug('later');
      fromContext().verbose('never');
      expect(fromContext().enabled(10)).toBe(false);
      fails();
    });
    expect(said()).toEqual(['now', ['later']]);
  });

  it('is told nothing outside of work', () => {
    const log = logger(true);
    log.debug('x');
    expect([log.enabled(20), logged.count]).toEqual([false, 0]);
  });

  it('loses none of its last events up to the bound, whatever they are', async () => {
    const values = fc.array(fc.oneof(fc.string(), fc.double(), fc.object({ maxDepth: 2 })), {
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(values, fc.integer({ min: 1, max: 20 }), async (given, events) => {
        logged = collectingSink();
        await run(logger({ events }), () => {
          given.forEach((value, i) => fromContext().debug('{I} {Value}', i, value));
          fails();
        });
        const kept = [...logged].flatMap(({ I }) => (I === undefined ? [] : [I]));
        expect(kept).toEqual(given.map((_, i) => i).slice(-events));
      }),
      { numRuns: 50 },
    );
  });
});

it.each([
  [{ events: 0 }, 'bufferOnFailure.events'],
  [{ evnts: 1 }, 'bufferOnFailure.evnts'],
  [{ slow: 'soon' }, 'bufferOnFailure.slow'],
])('bufferOnFailure: %j is refused', (bufferOnFailure, at) => {
  expect(() => createLogger({ bufferOnFailure: bufferOnFailure as BufferOptions })).toThrow(at);
});
