import { afterEach, describe, expect, it } from '@jest/globals';
import { Code, StatusError } from '@apix/contracts';
import { Controller, Get, NotFoundException } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import { HttpDoor } from '../http/http-door.js';
import type { HttpLogOptions } from '../http/http-options.js';
import { createLogger } from '../logger/create-logger.js';
import { LeftOutRequests } from '../request/left-out-requests.js';
import { loggedUntil } from '../request/logged-until.fixture.js';
import { collectingSink } from '../testing/collecting-sink.js';
import { CALL, GrpcRunning, HOSTINGS, SERVICE } from './grpc-running.fixture.js';
import type { Text } from './probe-calls.fixture.js';
import { RequestLog } from './request-log.decorator.js';
import { PLATFORMS, REQUEST, type Running, start } from './running.fixture.js';

const HANDLED = 'handled';

@Controller('counted')
@RequestLog({ sample: 2 })
class CountedController {
  @Get()
  fine(): string {
    return HANDLED;
  }

  @Get('rarely')
  @RequestLog({ sample: 4, level: 'debug' })
  rarely(): string {
    return HANDLED;
  }

  @Get('missing')
  missing(): never {
    throw new NotFoundException();
  }
}

describe.each(PLATFORMS)('requests on %s', (_, platform) => {
  let running: Running;
  afterEach(() => running.app.close());

  /** Asks for each path so often, then for one that nobody answers; `stands_for` of the events, by path. */
  async function standFor(
    http: HttpLogOptions,
    paths: readonly string[],
    times: number,
    headers: Record<string, string> = {},
  ): Promise<Record<string, unknown[]>> {
    const controllers = [CountedController];
    running = await start(platform, { http, controllers, level: 'debug' });
    for (const path of [...paths.flatMap((each) => Array<string>(times).fill(each)), '/last']) {
      await (await fetch(`http://127.0.0.1:${running.port}${path}`, { headers })).text();
    }
    const events = () => [...running.logged.withTemplate(REQUEST)];
    while (events().at(-1)?.['Path'] !== '/last') {
      await new Promise((resolve) => setImmediate(resolve));
    }
    const found: Record<string, unknown[]> = {};
    for (const event of events()) (found[String(event['Path'])] ??= []).push(event['stands_for']);
    return found;
  }

  it('that went well are one event in so many, and all that failed are written', async () => {
    const paths = ['/orders', '/failing/missing', '/failing/unavailable'];
    expect(await standFor({ sample: 3 }, paths, 5)).toEqual({
      '/orders': [1, 3],
      '/failing/missing': Array(5).fill(undefined),
      '/failing/unavailable': Array(5).fill(undefined),
      '/last': [undefined],
    });
    expect([...running.app.get(LeftOutRequests).metrics()]).toMatchObject([
      {
        name: 'apix.logx.requests.left_out',
        kind: 'counter',
        value: 3,
        attributes: { door: 'http', handler: 'OrdersController.list' },
      },
    ]);
  });

  it('that failed are written whatever level they have', async () => {
    const http: HttpLogOptions = { sample: 100, levels: { '4xx': 'debug' } };
    expect(await standFor(http, ['/counted/missing'], 3)).toMatchObject({
      '/counted/missing': [undefined, undefined, undefined],
    });
  });

  it('that are slow are written', async () => {
    const found = await standFor({ sample: { every: 100, slow: 0 } }, ['/orders'], 3);
    expect(found['/orders']).toEqual([1, 1, 1]);
  });

  it('are sampled by their decorators and by the option, which goes before', async () => {
    const http = { sample: { routes: { 'OrdersController.list': 3, '/counted/rarely': 1 } } };
    expect(await standFor(http, ['/orders', '/counted', '/counted/rarely'], 4)).toMatchObject({
      '/orders': [1, 3],
      '/counted': [1, 2],
      '/counted/rarely': Array(4).fill(undefined),
    });
  });

  it('are sampled by the decorator alone', async () => {
    expect(await standFor({}, ['/counted', '/counted/rarely'], 5)).toMatchObject({
      '/counted': [1, 2, 2],
      '/counted/rarely': [1, 4],
    });
  });

  it.each([
    ['f'.repeat(32), [1, 1, 1, 1]],
    ['f'.repeat(18) + '0'.repeat(14), []],
  ])('of the trace %s are all chosen alike', async (traceId, events) => {
    const headers = { traceparent: `00-${traceId}-${'1'.repeat(16)}-01` };
    const found = await standFor({ sample: 10 }, ['/orders'], 4, headers);
    expect(found['/orders'] ?? []).toEqual(events);
  });
});

@Controller()
class CallsController {
  @GrpcMethod('apix.testdata.Probe', 'Unary')
  unary({ stringValue }: Text): Text {
    if (stringValue === 'missing') throw new StatusError(Code.NOT_FOUND, 'not here');
    return { stringValue };
  }

  @GrpcMethod('apix.testdata.Probe', 'ServerStream')
  @RequestLog({ sample: 5 })
  serverStream({ stringValue }: Text): Text[] {
    return [{ stringValue }];
  }
}

describe.each(HOSTINGS)('calls on %s', (_, hosting) => {
  let running: GrpcRunning;
  afterEach(() => running.close());

  it('that went well are one event in so many, and all that failed are written', async () => {
    const grpc = { sample: { routes: { [`${SERVICE}Unary`]: 3 } } };
    running = await GrpcRunning.start(hosting, CallsController, { grpc });
    for (const text of ['one', 'two', 'three', 'missing', 'four', 'missing', 'five']) {
      const { stream, ended } = running.open('Unary');
      stream.resume();
      stream.end({ stringValue: text });
      await ended;
    }
    const events = [...(await loggedUntil(running.logged, CALL, 4))];
    expect(events.map((event) => [event['code'], event['stands_for']])).toEqual([
      ['OK', 1],
      ['NOT_FOUND', undefined],
      ['OK', 3],
      ['NOT_FOUND', undefined],
    ]);
  });
});

it.each<[object, string]>([
  [{ sample: 0 }, 'sample: must be an integer of at least 1, not 0'],
  [{ sample: { every: 1.5 } }, 'sample.every: must be an integer of at least 1, not 1.5'],
  [{ sample: { routes: { '/a': 0 } } }, 'sample.routes["/a"]: must be an integer of at least 1'],
  [{ sample: { routes: [] } }, 'sample.routes: must be an object of routes'],
  [{ sample: { evry: 2 } }, 'evry'],
])('options %j are refused', (http, message) => {
  const logger = createLogger({ sinks: [collectingSink()] });
  expect(() => new HttpDoor(logger, http as HttpLogOptions)).toThrow(message);
});

it('a decorator with a sample that is no number of requests is refused', () => {
  expect(() => RequestLog({ sampel: 2 } as object)).toThrow(
    'logx: RequestLog: sampel: is not known here; did you mean sample?',
  );
  expect(() => RequestLog({ sample: 0 })).toThrow(
    'logx: RequestLog: sample: must be an integer of at least 1, not 0',
  );
});
