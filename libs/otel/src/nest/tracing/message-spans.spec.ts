import 'reflect-metadata';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HostxModule } from '@apix/hostx';
import { Controller, type DynamicModule, Get, type INestApplication, Module } from '@nestjs/common';
import { ApplicationConfig, NestFactory } from '@nestjs/core';
import {
  type ClientProxy,
  ClientProxyFactory,
  EventPattern,
  GrpcMethod,
  MessagePattern,
  type MicroserviceOptions,
  TcpContext,
  Transport,
} from '@nestjs/microservices';
import { context, propagation, trace } from '@opentelemetry/api';
import { type Observable, concat, lastValueFrom, of, throwError, toArray } from 'rxjs';
import { freePort } from '../../../../../tools/testing/free-port.js';
import { tracedClient } from '../../microservices/index.js';
import { RecordedSpans, forgetSpans } from '../../recorded-spans.fixture.js';
import type { TracingModuleOptions } from './tracing-module-options.js';
import { TracingModule } from './tracing.module.js';

const tracer = () => trace.getTracer('app');
/** From Nest 12.1 on, what a message over TCP or Redis says of itself reaches its handler. */
const IS_CARRIED = 'getMetadata' in TcpContext.prototype;
const received = (pattern: string): string =>
  `${IS_CARRIED ? `PRODUCER send ${pattern} > ` : ''}CONSUMER process ${pattern}`;

const query = (): void => tracer().startSpan('query').end();

@Controller()
class Shop {
  event: (() => void) | undefined;

  @MessagePattern({ cmd: 'sum' }) async sum(numbers: number[]): Promise<number> {
    await Promise.resolve();
    query();
    return numbers.reduce((all, each) => all + each, 0);
  }

  @MessagePattern('tenant') tenant(): string {
    return propagation.getActiveBaggage()?.getEntry('tenant')?.value ?? 'nobody';
  }

  @MessagePattern('many') many(): Observable<number> {
    query();
    return of(1, 2, 3);
  }

  @MessagePattern('broken') broken(): Observable<number> {
    return concat(
      of(1),
      throwError(() => new RangeError('no more')),
    );
  }

  @MessagePattern('thrown') async thrown(_data: unknown): Promise<void> {
    throw new RangeError('none left');
  }

  @EventPattern('ordered') async ordered(_data: unknown): Promise<void> {
    query();
    this.event?.();
  }
}

interface Running {
  readonly app: INestApplication;
  readonly client: ClientProxy;
}

let recorded: RecordedSpans;
const running: Running[] = [];

async function start(imports: DynamicModule[], isTraced = true): Promise<Running> {
  @Module({ imports, controllers: [Shop] })
  class App {}
  const app = await NestFactory.create(App, { logger: false, abortOnError: false });
  const options = { host: '127.0.0.1', port: await freePort() };
  const tcp = { transport: Transport.TCP, options } as const;
  app.connectMicroservice<MicroserviceOptions>(tcp, { inheritAppConfig: true });
  await app.startAllMicroservices();
  await app.init();
  const client = ClientProxyFactory.create(isTraced ? tracedClient(tcp) : tcp);
  const one = { app, client };
  running.push(one);
  return one;
}

const host = (): DynamicModule => HostxModule.forRoot({ logger: null, http: false });
const tracing = (options?: TracingModuleOptions): DynamicModule => TracingModule.forRoot(options);

beforeEach(() => void (recorded = new RecordedSpans()));
afterEach(async () => {
  for (const { app, client } of running.splice(0)) {
    client.close();
    await app.close();
  }
  forgetSpans();
});

const spans = (): readonly string[] => recorded.paths;

describe.each<[string, () => DynamicModule[]]>([
  ['without a host', () => [tracing()]],
  ['with a host', () => [tracing(), host()]],
])('a message over TCP %s', (_, imports) => {
  it('has one span, whose parent is that of its sending', async () => {
    const { client } = await start(imports());
    const sum = await tracer().startActiveSpan('request', async (span) => {
      const answer = await lastValueFrom(client.send<number>({ cmd: 'sum' }, [1, 2]));
      span.end();
      return answer;
    });
    expect(sum).toBe(3);
    const route = '{"cmd":"sum"}';
    const process = `${IS_CARRIED ? 'INTERNAL request > ' : ''}${received(route)}`;
    const sent = ['INTERNAL request', `INTERNAL request > PRODUCER send ${route}`];
    expect(spans()).toEqual([...sent, process, `${process} > INTERNAL query`].toSorted());
    const span = recorded.all.find(({ name }) => name.startsWith('process'))!;
    expect(span.attributes).toMatchObject({
      'messaging.system.name': 'tcp',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': route,
    });
  });

  it('brings the baggage of its sender', async () => {
    const { client } = await start(imports());
    const baggage = propagation.createBaggage({ tenant: { value: 'acme' } });
    const tenant = await context.with(propagation.setBaggage(context.active(), baggage), () =>
      lastValueFrom(client.send<string>('tenant', {})),
    );
    expect(tenant).toBe(IS_CARRIED ? 'acme' : 'nobody');
  });

  it('that is answered by a stream has its span until the last value', async () => {
    const { client } = await start(imports());
    expect(await lastValueFrom(client.send('many', {}).pipe(toArray()))).toEqual([1, 2, 3]);
    expect(spans()).toContain(`${received('many')} > INTERNAL query`);
  });

  it.each(['broken', 'thrown'])('that fails marks its span: %s', async (pattern) => {
    const { client } = await start(imports());
    await lastValueFrom(client.send(pattern, {}), { defaultValue: null }).catch(() => null);
    expect(spans()).toEqual(
      [`PRODUCER send ${pattern}`, `${received(pattern)} ERROR RangeError`].toSorted(),
    );
  });

  it('that is an event has a span too', async () => {
    const { app, client } = await start(imports());
    const handled = new Promise<void>((resolve) => (app.get(Shop).event = resolve));
    await lastValueFrom(client.emit('ordered', {}), { defaultValue: null });
    await handled;
    // What the handler returns is followed to its end.
    while (recorded.all.length < 3) await new Promise(setImmediate);
    const process = received('ordered');
    expect(spans()).toEqual(
      ['PRODUCER send ordered', process, `${process} > INTERNAL query`].toSorted(),
    );
  });

  it('from a client that says nothing begins a trace', async () => {
    const { client } = await start(imports(), false);
    await lastValueFrom(client.send('many', {}));
    expect(spans()).toEqual(['CONSUMER process many', 'CONSUMER process many > INTERNAL query']);
  });
});

describe('the option messages', () => {
  it.each([
    ['link', 1, false],
    ['ignore', 0, false],
    ['parent', 0, true],
  ] as const)('%s makes %i links of what a sender says', async (incoming, links, isChild) => {
    const { client } = await start([tracing({ messages: { incoming } })]);
    await lastValueFrom(client.send('many', {}));
    const span = recorded.all.find(({ name }) => name === 'process many')!;
    expect(span.links).toHaveLength(IS_CARRIED ? links : 0);
    expect(span.parentSpanContext !== undefined).toBe(IS_CARRIED && isChild);
  });

  it('false makes no spans, with a host as without', async () => {
    const { client } = await start([tracing({ messages: false }), host()], false);
    await lastValueFrom(client.send('many', {}));
    expect(spans()).toEqual(['INTERNAL query']);
  });

  it('of another value is refused', async () => {
    const messages = { incoming: 'child' } as unknown as { incoming: 'parent' };
    await expect(start([tracing({ messages })])).rejects.toThrow(
      'otel: messages.incoming: must be one of "parent", "link", "ignore", not "child"',
    );
  });
});

@Controller()
class Calls {
  @GrpcMethod('shop.v1.Shop', 'Sum') sum(): object {
    return {};
  }
}

@Controller('pages')
class Pages {
  @Get() page(): string {
    return 'page';
  }
}

describe('what Nest runs for each call of an app', () => {
  it.each([
    ['gRPC alone has nothing of tracing', [Calls], 0],
    ['HTTP beside gRPC has nothing of it either', [Calls, Pages], 0],
    ['messages beside gRPC has a hook', [Calls, Shop], 1],
  ])('with %s', async (_, controllers, hooks) => {
    @Module({ imports: [tracing()], controllers })
    class App {}
    const app = await NestFactory.create(App, { logger: false, abortOnError: false });
    const config = app.get(ApplicationConfig);
    expect(config.getGlobalGuards()).toEqual([]);
    // Nest 11 has no hooks, and has an interceptor in their place.
    const hooked = config as object as { getGlobalPreRequestHooks?(): readonly unknown[] };
    const ofMessages = hooked.getGlobalPreRequestHooks?.() ?? config.getGlobalInterceptors();
    expect(ofMessages).toHaveLength(hooks);
    await app.close();
  });
});
