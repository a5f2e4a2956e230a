import 'reflect-metadata';
import type { AddressInfo, Server } from 'node:net';
import { ProtoModule } from '@apix/proto';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  type INestApplication,
  Injectable,
  Module,
  Param,
  type Provider,
  type Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Args, Query as GraphqlQuery, Resolver } from '@nestjs/graphql';
import { ClientProxyFactory, MessagePattern, Payload, Transport } from '@nestjs/microservices';
import { ExpressAdapter } from '@nestjs/platform-express';
import { MessageBody, SubscribeMessage, WebSocketGateway } from '@nestjs/websockets';
import { firstValueFrom } from 'rxjs';
import { celConditions } from '../conditions/cel-conditions.js';
import type { RequestShape } from '../conditions/request-shape.js';
import type { Decision } from '../decide/decision.js';
import { LISTS_SET } from '../records.fixture.js';
import { AuthzModule, type AuthzModuleOptions } from './authz.module.js';
import { CurrentResource, Requires, ResourceLoader } from './authz.decorators.js';
import { GRAPHQL_DRIVERS, query } from './graphql.fixture.js';
import type { HandlerRequirement } from './handler-requirement.js';
import { SOCKET_PLATFORMS } from './sockets.fixture.js';

const ran: unknown[] = [];
const decided: Decision[] = [];
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const list of [ran, decided]) list.length = 0;
  for (const one of open.splice(0).toReversed()) await one.close();
});

/** As an ORM makes it. */
class Order {
  readonly address = { city: 'Bath' };
  readonly tags = ['new'];
  readonly total = 99n;
  /** Nothing that the policy reads. */
  readonly secret = Symbol('s');
  constructor(
    readonly name: string,
    readonly customer: string,
    readonly paid?: Date | null,
  ) {}
  cancel(): string {
    return `${this.name} is cancelled`;
  }
}

const MEMBERS: RequestShape = {
  customer: 'string',
  total: 'int',
  'paid?': 'timestamp',
  address: { city: 'string' },
  tags: ['string'],
};

const own = new Order('own', 'ada');
const plain = { customer: 'ada', total: 1, address: { city: 'Bath' }, tags: ['new'] };
const RECORDS: Readonly<Record<string, unknown>> = {
  own,
  plain,
  other: new Order('other', 'eve', null),
  paid: new Order('paid', 'ada', new Date(0)),
  getter: Object.defineProperty({ ...plain }, 'customer', { get: () => 'ada' }),
  inherited: Object.create(own),
  proxy: new Proxy(own, {}),
  part: { customer: 'ada', total: 1, tags: ['new'] },
  list: { ...plain, customer: ['ada'] },
  half: { ...plain, total: 1.5 },
  text: 'ada',
  nothing: undefined,
};

@Injectable()
@ResourceLoader('Order', MEMBERS)
class Orders {
  async load(name: string): Promise<unknown> {
    await Promise.resolve();
    return name in RECORDS ? RECORDS[name] : null;
  }
}

const OWN: HandlerRequirement = {
  request: { name: 'string' },
  resource: { type: 'Order', name: 'name' },
  conditions: [
    { id: 'owner', expression: 'resource.customer == subject.id' },
    { id: 'unpaid', expression: '!has(resource.paid) && resource.total < 100' },
    { id: 'here', expression: "resource.address.city == 'Bath' && 'new' in resource.tags" },
  ],
};

@Controller()
class OrdersController {
  @Get('orders/:name')
  @Requires({
    ...OWN,
    request: { params: { name: 'string' } },
    resource: { type: 'Order', name: 'params.name' },
  })
  get(@Param('name') name: string, @CurrentResource() order: object) {
    ran.push(order);
    return { name };
  }

  @MessagePattern('cancel')
  @Requires(OWN)
  cancel(@Payload() _: object, @CurrentResource() order: Order) {
    return order.cancel();
  }
}

@WebSocketGateway()
class OrdersGateway {
  @SubscribeMessage('cancel')
  @Requires(OWN)
  cancel(@MessageBody() _: object, @CurrentResource() order: Order) {
    return { event: 'said', data: order.cancel() };
  }
}

@Resolver()
class OrdersResolver {
  @GraphqlQuery(() => String)
  @Requires(OWN)
  cancel(@Args('name') _: string, @CurrentResource() order: Order): string {
    return order.cancel();
  }
}

interface AppParts {
  readonly options?: Partial<AuthzModuleOptions>;
  readonly controllers?: readonly Type[];
  readonly providers?: readonly Provider[];
  readonly imports?: readonly object[];
}

/** Without descriptors. */
function appOf({ options, controllers = [], providers = [Orders], imports = [] }: AppParts) {
  @Module({
    imports: [
      AuthzModule.forRoot({
        subject: ({ metadata, door }) => {
          const [id = door === 'message' ? 'ada' : ''] = metadata.get('x-user');
          return { id, roles: [], permissions: [] };
        },
        conditions: celConditions(),
        onDecision: (decision) => void decided.push(decision),
        ...options,
      }),
      ...(imports as []),
    ],
    controllers: [...controllers],
    providers: [...providers],
  })
  class App {}
  return App;
}

const QUIET = { logger: false, abortOnError: false } as const;

async function serve(app: Type, adapter = new ExpressAdapter()): Promise<INestApplication> {
  const nest = await NestFactory.create(app, adapter, QUIET);
  open.push(nest);
  return nest;
}

describe('a record that is not a message of the descriptors', () => {
  it('is decided about in the shape that its loader declares, and the handler gets it itself', async () => {
    const nest = await serve(appOf({ controllers: [OrdersController] }));
    await nest.listen(0, '127.0.0.1');
    const answers: [string, number, string][] = [];
    for (const name of [...Object.keys(RECORDS), 'missing']) {
      const url = `${await nest.getUrl()}/orders/${name}`;
      const { status } = await fetch(url, { headers: { 'x-user': 'ada' } });
      answers.push([name, status, decided.at(-1)!.reason]);
    }
    expect(answers).toEqual([
      ['own', 200, 'passed'],
      ['plain', 200, 'passed'],
      ['other', 403, 'condition'],
      ['paid', 403, 'condition'],
      ['getter', 403, 'condition_error'],
      ['inherited', 403, 'condition_error'],
      ['proxy', 403, 'condition_error'],
      ['part', 403, 'condition_error'],
      ['list', 403, 'condition_error'],
      ['half', 403, 'condition_error'],
      ['text', 403, 'condition_error'],
      ['nothing', 403, 'condition_error'],
      ['missing', 403, 'no_resource'],
    ]);
    expect(ran).toHaveLength(2);
    expect(ran[0]).toBe(own);
    expect(ran[1]).toBe(plain);
  });

  it('is decided about by message handlers', async () => {
    const TCP = { transport: Transport.TCP, options: { host: '127.0.0.1', port: 0 } } as const;
    const app = appOf({ controllers: [OrdersController] });
    const nest = await NestFactory.createMicroservice(app, { ...QUIET, ...TCP });
    open.push(nest);
    await nest.listen();
    const { port } = nest.unwrap<Server>().address() as AddressInfo;
    const client = ClientProxyFactory.create({ ...TCP, options: { ...TCP.options, port } });
    open.push(client);
    const cancel = (name: string): Promise<unknown> =>
      firstValueFrom(client.send<unknown>('cancel', { name })).catch((error: unknown) => error);
    expect(await cancel('own')).toBe('own is cancelled');
    expect(await cancel('other')).toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(await cancel('part')).toMatchObject({ code: 'PERMISSION_DENIED' });
  });

  it.each(Object.entries(SOCKET_PLATFORMS))(
    'is decided about by a gateway on %s',
    async (_, of) => {
      const nest = await serve(appOf({ providers: [Orders, OrdersGateway] }));
      nest.useWebSocketAdapter(of.adapter(nest));
      await nest.listen(0, '127.0.0.1');
      const client = await of.connect(nest, { 'x-user': 'ada' });
      const said = [];
      for (const name of ['own', 'other', 'list']) {
        said.push((await client.ask('cancel', { name })).event);
      }
      client.close();
      expect(said).toEqual(['said', 'exception', 'exception']);
    },
  );

  it.each(Object.entries(GRAPHQL_DRIVERS))(
    'is decided about by resolvers with %s',
    async (_, of) => {
      const nest = await serve(
        appOf({ providers: [Orders, OrdersResolver], imports: [of.module()] }),
        of.adapter() as never,
      );
      await nest.listen(0, '127.0.0.1');
      const cancel = (name: string) =>
        query<object>(nest, `{ cancel(name: "${name}") }`, { 'x-user': 'ada' });
      expect(await cancel('own')).toEqual({ data: { cancel: 'own is cancelled' } });
      expect(await cancel('other')).toMatchObject({ data: null, errors: [{ path: ['cancel'] }] });
      expect(await cancel('getter')).toMatchObject({ data: null, errors: [{ path: ['cancel'] }] });
    },
  );

  it('can be declared by options, also next to descriptors', async () => {
    const options: Partial<AuthzModuleOptions> = {
      loaders: { 'shop.Order': () => own, 'records.v1.Record': () => null },
      recordTypes: { 'shop.Order': MEMBERS },
    };
    @Controller()
    class Shop {
      @Get(':name')
      @Requires({
        ...OWN,
        request: { params: { name: 'string' } },
        resource: { type: 'shop.Order', name: 'params.name' },
      })
      get(@Param('name') name: string) {
        return name;
      }
    }
    const imports = [ProtoModule.forRoot({ descriptors: LISTS_SET })];
    const nest = await serve(appOf({ options, controllers: [Shop], providers: [], imports }));
    await nest.listen(0, '127.0.0.1');
    for (const [who, status] of [
      ['ada', 200],
      ['eve', 403],
    ] as const) {
      const url = `${await nest.getUrl()}/own`;
      expect(await fetch(url, { headers: { 'x-user': who } })).toMatchObject({ status });
    }
  });
});

describe('an app does not start with', () => {
  it.each<[expression: string, members: RequestShape, mistake: string]>([
    ['resource.customre == subject.id', MEMBERS, 'Order has no field "customre"'],
    ['resource.total == subject.id', MEMBERS, 'operator == does not take (int, string)'],
    ['resource.paid == subject.id', MEMBERS, 'does not take (google.protobuf.Timestamp, string)'],
    [
      'true',
      { customer: 'text' as 'string' },
      'recordTypes: Order.customer must be one of "string"',
    ],
    ['true', {}, 'recordTypes: "Order" has no members'],
    ['true', [] as never, 'recordTypes: Order must be an object that has the type of each member'],
  ])('the condition %s on %j', async (expression, members, mistake) => {
    @Injectable()
    @ResourceLoader('Order', members)
    class Loader {
      load() {
        return null;
      }
    }
    await expect(started(expression, 'Order', { providers: [Loader] })).rejects.toThrow(mistake);
  });

  it.each<[what: string, type: string, parts: AppParts, mistake: string]>([
    ['a type that nothing declares', 'Ordre', {}, 'the descriptors have no message "Ordre"'],
    [
      'a type that nothing loads',
      'shop.Order',
      { options: { recordTypes: { 'shop.Order': MEMBERS } } },
      'nothing loads shop.Order',
    ],
    [
      'a type that is declared twice',
      'Order',
      { options: { recordTypes: { Order: MEMBERS } } },
      'Order is declared by @ResourceLoader and by recordTypes; keep one of them',
    ],
    [
      'a type that is a message',
      'Order',
      {
        options: { recordTypes: { 'records.v1.Record': MEMBERS } },
        imports: [ProtoModule.forRoot({ descriptors: LISTS_SET })],
      },
      '"records.v1.Record" is a message of the descriptors',
    ],
    [
      'a name of a type that is none',
      'Order',
      { options: { recordTypes: { 'an order': MEMBERS } } },
      '"an order" is not the name of a type, such as shop.Order',
    ],
    [
      'a loader of a type without members',
      'Order',
      { options: { loaders: { Cart: () => null } } },
      'the descriptors have no message "Cart"',
    ],
  ])('%s', async (_, type, parts, mistake) => {
    await expect(started('true', type, parts)).rejects.toThrow(mistake);
  });

  async function started(expression: string, type: string, parts: AppParts): Promise<void> {
    const conditions = [
      { id: 'a', expression },
      { id: 'reads', expression: 'resource != resource' },
    ];
    @Controller()
    class Wrong {
      @Get(':name')
      @Requires({
        request: { params: { name: 'string' } },
        resource: { type, name: 'params.name' },
        conditions,
      })
      get(@Param('name') name: string) {
        return name;
      }
    }
    const nest = await serve(appOf({ ...parts, controllers: [Wrong] }));
    await nest.init();
  }
});
