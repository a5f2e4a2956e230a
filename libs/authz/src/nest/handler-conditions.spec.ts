import 'reflect-metadata';
import type { AddressInfo, Server } from 'node:net';
import { ProtoModule } from '@apix/proto';
import type { Message } from '@bufbuild/protobuf';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Body,
  type CallHandler,
  Controller,
  type ExecutionContext,
  Get,
  type INestApplication,
  type INestMicroservice,
  Injectable,
  Module,
  type NestInterceptor,
  Param,
  ParseIntPipe,
  type PipeTransform,
  Post,
  type Provider,
  Query,
  Sse,
  type Type,
} from '@nestjs/common';
import { APP_INTERCEPTOR, NestFactory } from '@nestjs/core';
import { Args, Query as GraphqlQuery, Resolver } from '@nestjs/graphql';
import {
  type ClientProxy,
  ClientProxyFactory,
  MessagePattern,
  Payload,
  Transport,
} from '@nestjs/microservices';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { MessageBody, SubscribeMessage, WebSocketGateway } from '@nestjs/websockets';
import { firstValueFrom, of, retry } from 'rxjs';
import { celConditions } from '../conditions/cel-conditions.js';
import type { Decision } from '../decide/decision.js';
import { LISTS_SET, record } from '../records.fixture.js';
import type { SubjectFunc } from '../subject/subject.js';
import { AuthzModule, type AuthzModuleOptions } from './authz.module.js';
import { CurrentResource, CurrentSubject, Requires } from './authz.decorators.js';
import { GRAPHQL_DRIVERS, query } from './graphql.fixture.js';
import type { HandlerRequirement } from './handler-requirement.js';
import { SOCKET_PLATFORMS } from './sockets.fixture.js';

const ran: string[] = [];
const loaded: string[] = [];
const decided: Decision[] = [];
const open: { close(): unknown }[] = [];
/** What a request does while its record is loaded. */
let meanwhile: () => void = () => {};
/** What interceptors of the app answer in place of handlers. */
let cached: unknown;

beforeEach(() => {
  meanwhile = () => {};
  cached = undefined;
});
afterEach(async () => {
  for (const list of [ran, loaded, decided]) list.length = 0;
  for (const one of open.splice(0).toReversed()) await one.close();
});

/** The caller is what a header says; messages of TCP have none. */
const subject: SubjectFunc = ({ metadata, door }) => {
  const [id = door === 'message' ? 'ada' : undefined] = metadata.get('x-user');
  return id === undefined
    ? null
    : { id, roles: id === 'sam' ? ['staff'] : ['user'], permissions: [] };
};

async function load(name: string): Promise<Message | null> {
  loaded.push(name);
  await Promise.resolve();
  meanwhile();
  if (name === 'records/broken') throw new Error('the store is down');
  if (name === 'records/lie') return record('Ask', { name });
  const owner = { 'records/1': 'ada', 'records/2': 'eve' }[name];
  return owner === undefined ? null : record('Record', { name, owner });
}

const OWNER = {
  id: 'owner',
  expression: "'staff' in subject.roles || resource.owner == subject.id",
  message: 'not yours',
};
const OF_BODY: HandlerRequirement = {
  roles: { anyOf: ['user', 'staff'] },
  request: { body: { name: 'string' } },
  resource: { type: 'records.v1.Record', name: 'body.name' },
  conditions: [OWNER],
};
const SMALL: HandlerRequirement = {
  request: { name: 'string', 'amount?': 'int' },
  resource: { type: 'records.v1.Record', name: 'name' },
  conditions: [{ id: 'small', expression: 'request.amount <= 100' }, OWNER],
};

interface NameDto {
  name: string;
}

/** Makes what the handler gets of what was sent, as ValidationPipe does. */
class TrimPipe implements PipeTransform {
  transform(dto: NameDto): NameDto {
    return typeof dto?.name === 'string' ? { ...dto, name: dto.name.trim() } : dto;
  }
}

@Controller('records')
class RecordsController {
  @Get('own/:id')
  @Requires({
    request: { params: { id: 'string' } },
    resource: { type: 'records.v1.Record', name: 'params.id' },
    conditions: [OWNER],
    hideExistence: true,
  })
  own(@Param('id') id: string, @CurrentResource() of: { owner: string } | undefined) {
    ran.push('own');
    return { id, owner: of?.owner };
  }

  @Post('rename')
  @Requires(OF_BODY)
  rename(@CurrentSubject() who: { id: string }, @Body(TrimPipe) dto: NameDto) {
    ran.push('rename');
    return { who: who.id, name: dto.name };
  }

  @Get('page/:size')
  @Requires({
    request: { params: { size: 'int' }, query: { 'tag?': 'string', to: 'string' } },
    conditions: [
      {
        id: 'size',
        expression:
          'request.params.size < 50 && (!has(request.query.tag) || request.query.tag != "all")',
      },
      {
        id: 'to',
        expression:
          "request.query.to == subject.id && method == 'RecordsController.page' && now > timestamp(0)",
      },
    ],
  })
  page(
    @Param('size', ParseIntPipe) size: number,
    @Query() all: object,
    @Query('other') other?: string,
  ) {
    ran.push('page');
    return { size, all, other };
  }

  @Sse('events/:id')
  @Requires({
    request: { params: { id: 'string' } },
    resource: { type: 'records.v1.Record', name: 'params.id' },
    conditions: [OWNER],
  })
  events(@Param() { id }: { id: string }) {
    ran.push('events');
    return of({ data: id });
  }

  /** What the app's own code calls is not a call of a caller. */
  @Get('direct')
  @Requires({})
  direct() {
    return this.own('records/2', undefined);
  }

  @MessagePattern('spend')
  @Requires(SMALL)
  spend(
    @Payload() ask: { name: string; amount: number },
    @CurrentResource() of: { owner: string },
  ) {
    ran.push('spend');
    return `${ask.amount} of ${of.owner}`;
  }

  @MessagePattern('bare')
  @Requires(SMALL)
  bare(ask: { amount: number }) {
    ran.push('bare');
    return ask.amount;
  }

  @MessagePattern('pieces')
  @Requires(SMALL)
  pieces(@Payload('name') name: string, @Payload('amount') amount: number) {
    ran.push('pieces');
    return `${name} ${amount}`;
  }
}

@WebSocketGateway()
class RecordsGateway {
  @SubscribeMessage('spend')
  @Requires(SMALL)
  spend(@MessageBody() ask: { name: string; amount: number }) {
    ran.push('ws');
    return { event: 'said', data: ask.amount };
  }
}

@Resolver()
class RecordsResolver {
  @GraphqlQuery(() => String)
  @Requires({ ...SMALL, request: { name: 'string', amount: 'int' } })
  spend(
    @Args('name') name: string,
    @CurrentResource() of: { owner: string },
    @Args('amount') amount: number,
  ): string {
    ran.push('graphql');
    return `${amount} of ${of.owner} in ${name}`;
  }
}

/** As caches of answers do. */
@Injectable()
class Cache implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler) {
    return cached === undefined ? next.handle() : of(cached);
  }
}

function appOf(
  options: Partial<AuthzModuleOptions> = {},
  controllers: readonly Type[] = [RecordsController],
  providers: readonly Provider[] = [],
  imports: readonly object[] = [],
) {
  @Module({
    imports: [
      ProtoModule.forRoot({ descriptors: LISTS_SET }),
      AuthzModule.forRoot({
        subject,
        conditions: celConditions(),
        loaders: { 'records.v1.Record': load },
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

async function ask(nest: INestApplication, path: string, who: string, body?: object) {
  const answer = await fetch(`${await nest.getUrl()}/records/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-user': who, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.text() };
}

describe.each([
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter() as never],
])('conditions of HTTP handlers on %s', (_, adapter) => {
  let nest: INestApplication;
  beforeAll(async () => {
    nest = await NestFactory.create(appOf(), adapter(), QUIET);
    await nest.listen(0, '127.0.0.1');
  });
  afterAll(() => nest.close());

  it.each<[path: string, who: string, body: object | undefined, status: number, reason: string]>([
    ['own/records%2F1', 'ada', undefined, 200, 'passed'],
    ['own/records%2F2', 'ada', undefined, 404, 'condition'],
    ['own/records%2F3', 'ada', undefined, 404, 'no_resource'],
    ['own/records%2Fbroken', 'ada', undefined, 404, 'condition_error'],
    ['own/records%2Flie', 'sam', undefined, 404, 'condition_error'],
    ['own/records%2F2', 'sam', undefined, 200, 'passed'],
    ['own/records%2F3', 'sam', undefined, 404, 'no_resource'],
    ['rename', 'ada', { name: 'records/1' }, 201, 'passed'],
    ['rename', 'ada', { name: '  records/1 ' }, 201, 'passed'],
    ['rename', 'ada', { name: ' records/2' }, 403, 'condition'],
    ['rename', 'ada', { name: 1 }, 403, 'condition_error'],
    ['rename', 'ada', { name: null }, 403, 'condition_error'],
    ['rename', 'ada', { name: ['records/1'] }, 403, 'condition_error'],
    ['rename', 'ada', { name: { toString: 'records/1' } }, 403, 'condition_error'],
    ['rename', 'ada', {}, 403, 'condition_error'],
    ['rename', 'ada', [{ name: 'records/1' }], 403, 'condition_error'],
    ['page/10?to=ada', 'ada', undefined, 200, 'passed'],
    ['page/10?to=ada&tag=red', 'ada', undefined, 200, 'passed'],
    ['page/10?to=ada&tag=all', 'ada', undefined, 403, 'condition'],
    ['page/10?to=ada&tag=all&tag=red', 'ada', undefined, 403, 'condition_error'],
    ['page/10?to=eve', 'ada', undefined, 403, 'condition'],
    ['page/10', 'ada', undefined, 403, 'condition_error'],
    ['page/50?to=ada', 'ada', undefined, 403, 'condition'],
    ['events/records%2F1', 'ada', undefined, 200, 'passed'],
    ['events/records%2F2', 'ada', undefined, 403, 'condition'],
  ])('%s of %s with %j: %i, %s', async (path, who, body, status, reason) => {
    const answer = await ask(nest, path, who, body);
    expect(answer).toMatchObject({ status });
    expect(decided.map((each) => each.reason)).toEqual([reason]);
    expect(ran).toEqual(reason === 'passed' ? [path.split(/[/?]/, 1)[0]] : []);
  });
});

describe('conditions of HTTP handlers', () => {
  it('are decided about what the handler gets, with its record', async () => {
    const nest = await serve(appOf());
    await nest.listen(0, '127.0.0.1');
    const { body } = await ask(nest, 'own/records%2F1', 'ada');
    expect(JSON.parse(body)).toEqual({ id: 'records/1', owner: 'ada' });
    expect(loaded).toEqual(['records/1']);
  });

  it('refuse callers without the required roles before any record is loaded', async () => {
    const nest = await serve(appOf());
    await nest.listen(0, '127.0.0.1');
    const { url } = { url: await nest.getUrl() };
    const answer = await fetch(`${url}/records/own/records%2F1`);
    expect(answer.status).toBe(401);
    expect(loaded).toEqual([]);
    expect(decided.map(({ reason }) => reason)).toEqual(['anonymous']);
  });

  it('refuse a request that changes while its record is loaded', async () => {
    const kept: NameDto[] = [];
    class KeepingPipe implements PipeTransform {
      transform(dto: NameDto): NameDto {
        kept.push(dto);
        return dto;
      }
    }
    @Controller('records')
    class Changed {
      @Post('rename')
      @Requires(OF_BODY)
      rename(@Body(KeepingPipe) dto: NameDto) {
        ran.push(dto.name);
        return dto;
      }
    }
    const nest = await serve(appOf({}, [Changed]));
    await nest.listen(0, '127.0.0.1');
    expect(await ask(nest, 'rename', 'ada', { name: 'records/1' })).toMatchObject({ status: 201 });
    meanwhile = () => (kept.at(-1)!.name = 'records/2');
    expect(await ask(nest, 'rename', 'ada', { name: 'records/1' })).toMatchObject({ status: 403 });
    meanwhile = () => Object.defineProperty(kept.at(-1)!, 'name', { get: () => 'records/1' });
    expect(await ask(nest, 'rename', 'ada', { name: 'records/1' })).toMatchObject({ status: 403 });
    expect(ran).toEqual(['records/1']);
    expect(decided.map(({ reason }) => reason)).toEqual([
      'passed',
      'condition_error',
      'condition_error',
    ]);
  });

  it('refuse what an interceptor answers in place of the handler, and nothing else', async () => {
    const cache = { provide: APP_INTERCEPTOR, useClass: Cache };
    const nest = await serve(appOf({}, [RecordsController], [cache]));
    await nest.listen(0, '127.0.0.1');
    cached = { owner: 'eve' };
    const answer = await ask(nest, 'own/records%2F2', 'ada');
    expect(answer.status).toBe(500);
    expect(answer.body).not.toContain('eve');
    expect((await ask(nest, 'direct', 'ada')).body).toBe('{"owner":"eve"}');
  });

  it('are decided each time that an interceptor lets the handler run', async () => {
    class Twice implements NestInterceptor {
      intercept(_: ExecutionContext, next: CallHandler) {
        return next.handle().pipe(retry(1));
      }
    }
    const again = { provide: APP_INTERCEPTOR, useClass: Twice };
    const nest = await serve(appOf({}, [RecordsController], [again]));
    await nest.listen(0, '127.0.0.1');
    expect(await ask(nest, 'rename', 'ada', { name: 'records/2' })).toMatchObject({ status: 403 });
    expect(await ask(nest, 'rename', 'ada', { name: 'records/1' })).toMatchObject({ status: 201 });
    expect(ran).toEqual(['rename']);
    expect(decided.map(({ allowed }) => allowed)).toEqual([false, false, true]);
  });

  it('are not for calls of the app itself', async () => {
    const nest = await serve(appOf());
    await nest.listen(0, '127.0.0.1');
    expect((await ask(nest, 'direct', 'ada')).body).toBe('{"id":"records/2"}');
  });

  it('let calls through in shadow mode, and report them', async () => {
    const nest = await serve(appOf({ mode: 'shadow' }));
    await nest.listen(0, '127.0.0.1');
    expect(await ask(nest, 'own/records%2F2', 'ada')).toMatchObject({ status: 200 });
    expect(decided).toMatchObject([{ allowed: false, reason: 'condition', condition: 'owner' }]);
  });

  it('tell reasons where they are exposed', async () => {
    const nest = await serve(appOf({ exposeReasons: true }));
    await nest.listen(0, '127.0.0.1');
    const { body } = await ask(nest, 'rename', 'ada', { name: 'records/2' });
    expect(body).toContain('permission denied: not yours');
  });
});

describe('conditions of message handlers', () => {
  const TCP = { transport: Transport.TCP, options: { host: '127.0.0.1', port: 0 } } as const;
  let app: INestMicroservice;
  let client: ClientProxy;
  beforeAll(async () => {
    app = await NestFactory.createMicroservice(appOf(), { ...QUIET, ...TCP });
    await app.listen();
    const { port } = app.unwrap<Server>().address() as AddressInfo;
    client = ClientProxyFactory.create({ ...TCP, options: { ...TCP.options, port } });
  });
  afterAll(async () => {
    client.close();
    await app.close();
  });

  it.each<[pattern: string, ask: unknown, answer: unknown]>([
    ['spend', { name: 'records/1', amount: 7 }, '7 of ada'],
    ['spend', { name: 'records/1', amount: 101 }, { code: 'PERMISSION_DENIED' }],
    ['spend', { name: 'records/1', amount: '7' }, { code: 'PERMISSION_DENIED' }],
    ['spend', { name: 'records/1', amount: 7.5 }, { code: 'PERMISSION_DENIED' }],
    ['spend', { name: 'records/2', amount: 7 }, { code: 'PERMISSION_DENIED' }],
    ['spend', 'records/1', { code: 'PERMISSION_DENIED' }],
    ['spend', [], { code: 'PERMISSION_DENIED' }],
    ['bare', { name: 'records/1', amount: 7 }, 7],
    ['bare', { name: 'records/2', amount: 7 }, { code: 'PERMISSION_DENIED' }],
    ['pieces', { name: 'records/1', amount: 7 }, 'records/1 7'],
    ['pieces', { name: 'records/1', amount: 700 }, { code: 'PERMISSION_DENIED' }],
  ])('%s %j', async (pattern, sent, expected) => {
    const answer = await firstValueFrom(client.send<unknown>(pattern, sent)).catch(
      (error: unknown) => error,
    );
    if (typeof expected === 'object') expect(answer).toMatchObject(expected as object);
    else expect(answer).toBe(expected);
    expect(ran).toEqual(typeof expected === 'object' ? [] : [pattern]);
  });
});

describe.each(Object.entries(SOCKET_PLATFORMS))('conditions of a gateway on %s', (_, platform) => {
  it('are decided about each message', async () => {
    const nest = await serve(appOf({}, [], [RecordsGateway]));
    nest.useWebSocketAdapter(platform.adapter(nest));
    await nest.listen(0, '127.0.0.1');
    const client = await platform.connect(nest, { 'x-user': 'ada' });
    const asks = [
      { name: 'records/1', amount: 7 },
      { name: 'records/2', amount: 7 },
      { name: 'records/1', amount: 700 },
      { name: 'records/1' },
    ];
    const said = [];
    for (const each of asks) said.push((await client.ask('spend', each)).event);
    client.close();
    expect(said).toEqual(['said', 'exception', 'exception', 'said']);
    expect(ran).toEqual(['ws', 'ws']);
  });
});

describe.each(Object.entries(GRAPHQL_DRIVERS))('conditions of resolvers with %s', (_, driver) => {
  it('are decided about each field of an operation', async () => {
    const nest = await serve(
      appOf({}, [], [RecordsResolver], [driver.module()]),
      driver.adapter() as never,
    );
    await nest.listen(0, '127.0.0.1');
    const { data, errors } = await query<{ data: unknown; errors: { path: string[] }[] }>(
      nest,
      '{ a: spend(name: "records/1", amount: 7) b: spend(name: "records/1", amount: 8) }',
      { 'x-user': 'ada' },
    );
    expect({ data, errors }).toEqual({
      data: { a: '7 of ada in records/1', b: '8 of ada in records/1' },
    });
    const refused = await query<typeof Object>(
      nest,
      '{ a: spend(name: "records/1", amount: 7) b: spend(name: "records/2", amount: 8) }',
      { 'x-user': 'ada' },
    );
    expect(refused).toMatchObject({ data: null, errors: [{ path: ['b'] }] });
    expect(JSON.stringify(refused)).not.toContain('eve');
  });
});

/** A decorator that replaces the method and keeps its metadata, as many do. */
const replacing: MethodDecorator = (_, __, descriptor) => {
  const handler = descriptor.value as (...args: unknown[]) => unknown;
  const replaced = (...args: unknown[]): unknown => handler(...args);
  for (const key of Reflect.getMetadataKeys(handler) as unknown[]) {
    Reflect.defineMetadata(key, Reflect.getMetadata(key, handler), replaced);
  }
  descriptor.value = replaced as never;
};

const IS_TRUE = [{ id: 'a', expression: 'true' }];

describe('a handler does not start with', () => {
  const parameters: Readonly<Record<string, ParameterDecorator>> = {
    id: Param('id'),
    params: Param(),
    body: Body(),
    name: Body('name'),
  };

  it.each<[input: object, given: string, mistake: string]>([
    [{ conditions: [] }, '', 'request, resource and hideExistence need conditions; remove them'],
    [
      { hideExistence: true },
      '',
      'request, resource and hideExistence need conditions; remove them',
    ],
    [{ condition: IS_TRUE }, '', 'condition: is not known here; did you mean conditions?'],
    [{ conditions: IS_TRUE, role: {} }, '', 'role: is not known here; did you mean roles?'],
    [{ conditions: 'true' }, '', 'conditions: must be an array, not "true"'],
    [{ conditions: [{ id: 'a' }] }, '', 'conditions[0].expression: must be a non-empty string'],
    [{ conditions: [...IS_TRUE, ...IS_TRUE] }, '', 'two conditions have the id "a"'],
    [{ conditions: [{ id: '1', expression: 'true' }] }, '', '"1" is not an id of a condition'],
    [{ conditions: [{ id: 'a', expression: '1 +' }] }, '', '@Requires, condition "a": '],
    [{ conditions: [{ id: 'a', expression: '1' }] }, '', 'must be of type bool, not int'],
    [
      { conditions: [{ id: 'a', expression: 'a.b' }] },
      '',
      'undeclared name "a" (line 1, column 1 of the',
    ],
    [{ conditions: [{ id: 'a', expression: 'request.x == 1' }] }, '', 'x'],
    [{ conditions: [{ id: 'a', expression: 'resource.x == 1' }] }, '', 'resource'],
    [
      { conditions: IS_TRUE, request: { params: { id: 'text' } } },
      'id',
      'request.params.id must be one of "string", "bool", "int", "double", "bytes", "timestamp", not "text"',
    ],
    [{ conditions: IS_TRUE, request: [] }, '', 'request must be an object that has the type'],
    [{ conditions: IS_TRUE, request: { body: { a: [] } } }, 'body', 'must be an array of one type'],
    [
      { conditions: IS_TRUE, request: { body: { 'a-b': 'int' } } },
      'body',
      '"a-b" cannot be the name',
    ],
    [
      { conditions: IS_TRUE, request: { body: { a: 'int', 'a?': 'int' } } },
      'body',
      '"a?" cannot be the name',
    ],
    [
      { conditions: IS_TRUE, request: { body: 'string' } },
      'body',
      'request.body must be an object',
    ],
    [
      { conditions: IS_TRUE, request: { form: { a: 'int' } } },
      '',
      'request.form is not a part of a request',
    ],
    [
      { conditions: IS_TRUE, request: { params: { id: 'string' } } },
      '',
      'the handler does not get request.params.id; give it a parameter with @Param()',
    ],
    [
      { conditions: IS_TRUE, request: { body: { name: 'string' } } },
      'body,name',
      'the handler gets request.body.name by several parameters; keep one',
    ],
    [
      { conditions: IS_TRUE, resource: { type: 'records.v1.Nothing', name: 'params.id' } },
      'id',
      'the descriptors have no message "records.v1.Nothing"',
    ],
    [
      { conditions: IS_TRUE, resource: { type: 'records.v1.Record', name: 'params.id' } },
      'id',
      'request has no field "params.id"',
    ],
    [
      {
        conditions: [{ id: 'a', expression: 'resource.text == ""' }],
        request: { params: { id: 'string' } },
        resource: { type: 'records.v1.Answer', name: 'params.id' },
      },
      'params',
      'nothing loads records.v1.Answer; add a loader',
    ],
  ])('%j, and parameters %s: %s', async (input, given, mistake) => {
    class Wrong {
      get(...args: unknown[]) {
        return args;
      }
    }
    const names = given === '' ? [] : given.split(',');
    names.forEach((name, index) => parameters[name]!(Wrong.prototype, 'get', index));
    decorate(Wrong, [Get(), Requires(input)]);
    await expect(serve(appOf({}, [Wrong])).then((nest) => nest.init())).rejects.toThrow(
      `Wrong.get: `,
    );
    await expect(serve(appOf({}, [Wrong])).then((nest) => nest.init())).rejects.toThrow(mistake);
  });

  it.each<[what: string, decorators: readonly MethodDecorator[], mistake: string]>([
    [
      'a decorator above that replaces it',
      [Get(), replacing, Requires({ conditions: IS_TRUE })],
      'its conditions are lost',
    ],
    [
      'messages and HTTP',
      [Get(), MessagePattern('a'), Requires({ conditions: IS_TRUE })],
      'not of both',
    ],
  ])('%s', async (_, decorators, mistake) => {
    class Wrong {
      get() {}
    }
    decorate(Wrong, decorators);
    await expect(serve(appOf({}, [Wrong])).then((nest) => nest.init())).rejects.toThrow(mistake);
  });

  it('conditions that are not enabled', async () => {
    class Wrong {
      get() {}
    }
    decorate(Wrong, [Get(), Requires({ conditions: IS_TRUE })]);
    const { conditions: _, ...without } = { conditions: undefined };
    const app = appOf({ ...without, conditions: undefined as never, loaders: {} }, [Wrong]);
    await expect(serve(app).then((nest) => nest.init())).rejects.toThrow(
      'has conditions, which are not enabled',
    );
  });
});

function decorate(controller: Type, decorators: readonly MethodDecorator[]): void {
  Controller('wrong')(controller);
  for (const decorator of decorators.toReversed()) {
    const prototype = controller.prototype as object;
    const descriptor = Object.getOwnPropertyDescriptor(prototype, 'get')!;
    decorator(prototype, 'get', descriptor);
    Object.defineProperty(prototype, 'get', descriptor);
  }
}
