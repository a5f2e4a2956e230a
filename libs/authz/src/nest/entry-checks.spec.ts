import { ProtoModule } from '@apix/proto';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  type INestApplication,
  Injectable,
  Module,
  type Provider,
  type Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  Field,
  Int,
  ObjectType,
  Query,
  ResolveField,
  ResolveReference,
  Resolver,
} from '@nestjs/graphql';
import { SubscribeMessage, WebSocketGateway } from '@nestjs/websockets';
import { PolicyError } from '../errors.js';
import { AuthzModule, type AuthzModuleOptions } from './authz.module.js';
import { GRAPHQL_DRIVERS, type GraphqlOptions, query } from './graphql.fixture.js';
import { DefaultRequires, EnforceMethod, Public, Requires } from './authz.decorators.js';
import { SHOP } from './shop.fixture.js';
import { SOCKET_PLATFORMS, TellingWsAdapter } from './sockets.fixture.js';

const DENY = { unannotated: 'deny' } as const;
const ADMIN = { roles: { anyOf: ['admin'] } };
const APOLLO = GRAPHQL_DRIVERS['Apollo on Express']!;

@WebSocketGateway()
class ChatGateway {
  @SubscribeMessage('say')
  say() {
    return { event: 'said', data: 'in' };
  }

  @SubscribeMessage('own')
  @Requires(ADMIN)
  own() {}

  handleConnection() {}
}

@ObjectType()
class Order {
  @Field(() => Int)
  id!: number;
}

@Resolver(() => Order)
class OrderResolver {
  @Query(() => Order)
  order(): Order {
    return { id: 7 };
  }

  @ResolveField(() => String)
  note(): string {
    return 'in';
  }
}

@Controller('metrics')
class LibraryController {
  @Get()
  index() {
    return 'in';
  }
}

let app: INestApplication | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

interface Made {
  readonly providers?: readonly Provider[];
  readonly controllers?: readonly Type[];
  readonly options?: Partial<AuthzModuleOptions>;
  readonly graphql?: GraphqlOptions | false;
}

/** Starts an app; gives the lines of AuthzModule, or its mistakes. */
async function start({ providers = [], controllers = [], options = {}, graphql = false }: Made) {
  const lines: string[] = [];
  const note = (text: unknown, context: unknown): void => {
    if (context === 'AuthzModule') lines.push(String(text));
  };
  @Module({
    imports: [
      ProtoModule.forRoot({ descriptors: SHOP }),
      AuthzModule.forRoot({ subject: () => null, exempt: ['/test.Orders/Bare'], ...options }),
      ...(graphql === false ? [] : [APOLLO.module(graphql)]),
    ],
    providers: [...providers],
    controllers: [...controllers],
  })
  class App {}
  app = await NestFactory.create(App, {
    logger: { log: note, warn: note, error: () => {}, fatal: () => {} },
    abortOnError: false,
  });
  app.useWebSocketAdapter(new TellingWsAdapter(app));
  try {
    await app.listen(0, '127.0.0.1');
  } catch (error) {
    if (error instanceof PolicyError) return error.mistakes;
    throw error;
  }
  return lines;
}

describe('the app lists at its start', () => {
  it("messages and operations that unannotated: 'allow' leaves open", async () => {
    const made = { providers: [ChatGateway, OrderResolver], graphql: {} };
    expect(await start(made)).toEqual([
      'anyone may call ChatGateway.say, OrderResolver.order, because they have no policy; add one ' +
        "to each, or refuse them with unannotated: 'deny'",
    ]);
  });

  it("messages and operations that unannotated: 'deny' closes", async () => {
    const options = { unannotated: 'deny' } as const;
    const made = { providers: [ChatGateway, OrderResolver], graphql: {}, options };
    expect((await start(made)).at(-1)).toBe(
      'no one may call ChatGateway.say, OrderResolver.order, because they have no policy and ' +
        "unannotated is 'deny'; add one to each, or name them in exempt",
    );
  });

  it('policies on providers for which Nest runs no guards', async () => {
    @Injectable()
    class Nightly {
      @Requires(ADMIN)
      run() {}
    }
    expect(await start({ providers: [Nightly], controllers: [LibraryController] })).toContain(
      'the policies of Nightly.run hold only where Nest asks guards, which it does not for jobs, ' +
        'timers and events; call Authorizer.authorize there',
    );
  });

  it('nothing of providers without a class', async () => {
    const providers = [
      { provide: 'null', useValue: Object.create(null) as object },
      { provide: 'text', useFactory: () => 'text' },
      { provide: 'arrow', useValue: () => {} },
    ];
    expect(await start({ providers, options: DENY })).toHaveLength(1);
  });
});

describe('exempt opens handlers', () => {
  it.each(['ChatGateway.say', 'ChatGateway.*'])('of gateways: %s', async (entry) => {
    const options = { unannotated: 'deny', exempt: [entry] } as const;
    const [exempt, ...others] = await start({ providers: [ChatGateway], options });
    expect(exempt).toMatch(/: .*, ChatGateway\.say$/);
    expect(others).toEqual([]);
    const client = await SOCKET_PLATFORMS['ws']!.connect(app!, {});
    expect(await client.ask('say')).toEqual({ event: 'said', data: 'in' });
    expect(await client.ask('own')).toMatchObject({ data: { code: 'UNAUTHENTICATED' } });
    client.close();
  });

  it('of resolvers and of the controllers of others', async () => {
    const exempt = ['OrderResolver.order', 'OrderResolver.note', 'LibraryController.*'];
    await start({
      providers: [OrderResolver],
      controllers: [LibraryController],
      options: { unannotated: 'deny', exempt },
      graphql: { fieldResolverEnhancers: ['guards'] },
    });
    expect(await query(app!, '{ order { id note } }')).toMatchObject({
      data: { order: { id: 7, note: 'in' } },
    });
    expect((await fetch(`${await app!.getUrl()}/metrics`)).status).toBe(200);
  });
});

/** Two of one name, as in two folders. */
const [Twin, OtherTwin] = [0, 1].map(() => {
  @Controller('twin')
  class TwinController {
    @Get()
    index() {}
  }
  return TwinController;
});

@Resolver(() => Order)
class PricedResolver {
  @Query(() => Order)
  order(): Order {
    return { id: 7 };
  }

  @ResolveField(() => String)
  @Requires(ADMIN)
  price(): string {
    return '7.00';
  }
}

@Resolver(() => Order)
@DefaultRequires(ADMIN)
class ClosedResolver {
  @Query(() => Order)
  order(): Order {
    return { id: 7 };
  }

  @ResolveField(() => String)
  note(): string {
    return 'in';
  }
}

@Resolver(() => Order)
class FederatedResolver {
  @Query(() => Order)
  order(): Order {
    return { id: 7 };
  }

  @ResolveReference()
  resolve(): Order {
    return { id: 7 };
  }
}

@WebSocketGateway()
class HookedGateway extends ChatGateway {
  @Requires(ADMIN)
  override handleConnection() {}
}

@WebSocketGateway()
class OverridingGateway extends ChatGateway {
  @SubscribeMessage('own')
  override own() {}
}

@WebSocketGateway()
class WrongGateway {
  @SubscribeMessage('a')
  @Requires({ roles: { anyOf: [''] } })
  empty() {}

  @SubscribeMessage('b')
  @EnforceMethod('/test.Orders/Gone')
  gone() {}

  @SubscribeMessage('c')
  @Public()
  @Requires(ADMIN)
  twice() {}
}

const NO_GUARD =
  'Nest asks no guard for this field, so nothing refuses a caller; set fieldResolverEnhancers: ' +
  "['guards'] of GraphQLModule, or put @Public() on it where the policies of queries are enough";

describe('the app does not start with', () => {
  it.each<[string, Made, readonly string[]]>([
    [
      'an exemption of no handler',
      { options: { ...DENY, exempt: ['Nobody.index'] } },
      ['exempt: "Nobody.index" exempts nothing: no such handler is served'],
    ],
    [
      'an exemption of two classes',
      { controllers: [Twin!, OtherTwin!], options: { ...DENY, exempt: ['TwinController.*'] } },
      ['exempt: "TwinController.*" means 2 classes of that name; rename all but one'],
    ],
    [
      'a policy of a field that Nest does not guard',
      { providers: [PricedResolver], graphql: {} },
      [`PricedResolver.price: ${NO_GUARD}`],
    ],
    [
      'a default that a field does not get',
      { providers: [ClosedResolver], graphql: {} },
      [`ClosedResolver.note: ${NO_GUARD}`],
    ],
    [
      "a reference that nothing guards, under unannotated: 'deny'",
      { providers: [FederatedResolver], graphql: {}, options: DENY },
      [`FederatedResolver.resolve: ${NO_GUARD}`],
    ],
    [
      'a policy of connections',
      { providers: [HookedGateway] },
      [
        'HookedGateway.handleConnection: has a policy, but Nest guards messages and no ' +
          'connections; disconnect the client in it',
      ],
    ],
    [
      'a policy of a message that an override lost',
      { providers: [OverridingGateway] },
      [
        'OverridingGateway.own: its policy is lost because the method was overridden or replaced ' +
          'by a decorator; repeat the policy here, or put it above that decorator',
      ],
    ],
    [
      'wrong policies of messages',
      { providers: [WrongGateway] },
      [
        'WrongGateway.empty: roles.any_of contains an empty string; remove it',
        'WrongGateway.gone: @EnforceMethod("/test.Orders/Gone"): the descriptors have no such method',
        'WrongGateway.twice: has several policies; keep one',
      ],
    ],
  ])('%s', async (_, made, mistakes) => {
    expect(await start(made)).toEqual(mistakes);
  });

  it.each<[string, Made]>([
    ['fields without a policy', { providers: [OrderResolver], graphql: {}, options: DENY }],
    [
      'policies of fields that Nest guards',
      { providers: [PricedResolver], graphql: { fieldResolverEnhancers: ['guards'] } },
    ],
  ])('but with %s', async (_, made) => {
    await start(made);
    expect(app!.getHttpServer()).toMatchObject({ listening: true });
  });
});
