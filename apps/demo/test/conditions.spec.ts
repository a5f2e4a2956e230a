import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import {
  Authorizer,
  AuthzModule,
  type AuthzModuleOptions,
  CurrentFilter,
  CurrentResource,
  type Decision,
  type ListFilter,
  type LoadContext,
  ResourceLoader,
} from '@apix/authz';
import { celConditions } from '@apix/authz/conditions';
import { mayList } from '@apix/authz/filters';
import { authzInterceptor } from '@apix/authz/grpc';
import { Code, codeName, StatusError } from '@apix/contracts';
import { GatewayModule } from '@apix/gateway';
import { webSockets } from '@apix/gateway/websocket';
import { GrpcModule, GrpcServer, GrpcService } from '@apix/grpc';
import { HostxModule } from '@apix/hostx';
import { startHost } from '@apix/hostx/testing';
import { ProtoModule, ProtoRegistry } from '@apix/proto';
import { create, fromBinary, type Message, toBinary, toJson } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import {
  Client,
  Metadata,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type UntypedHandleCall,
  credentials,
} from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, Logger, Module, type Type } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { concatMap, from, Observable, tap, toArray, map } from 'rxjs';
import { WebSocket } from 'ws';

const SET = readFileSync(new URL('../../../libs/authz/testdata/lists.binpb', import.meta.url));
const RECORDS = ProtoRegistry.load(SET);
const Records = RECORDS.services.find(({ typeName }) => typeName === 'records.v1.Records')!;
const Lists = RECORDS.services.find(({ typeName }) => typeName === 'records.v1.Lists')!;
const message = (type: string, init: Readonly<Record<string, unknown>>): Message =>
  create(RECORDS.registry.getMessage(`records.v1.${type}`)!, init);
const owned = (name: string, owner: string): Message => message('Record', { name, owner });

/** Handlers that began, with the owner of the record that they were given. */
const begun: string[] = [];
const decisions: Decision[] = [];
afterEach(() => void begun.splice(0));
const begin = (kind: string, record: Message | undefined): void =>
  void begun.push(`${kind} ${String(Object(record).owner)}`);

interface Ask {
  readonly name: string;
}

class RecordsController {
  get(@Payload() { name }: Ask, @CurrentResource() record: Message) {
    begin('Get', record);
    return { text: name };
  }

  spend(@Payload() { amount }: { amount: bigint }) {
    begun.push(`Spend ${amount}`);
    return { text: String(amount) };
  }

  watch(@Payload() { name }: Ask, @CurrentResource() record: Message) {
    begin('Watch', record);
    return new Observable((to) => {
      to.next({ text: name });
      to.complete();
    });
  }

  upload(@Payload() asks: Observable<Ask>, @CurrentResource() record: Message) {
    begin('Upload', record);
    return asks.pipe(
      toArray(),
      map((all) => ({ text: all.map(({ name }) => name).join('+') })),
    );
  }

  chat(@Payload() asks: Observable<Ask>, @CurrentResource() record: Message) {
    begin('Chat', record);
    return asks.pipe(
      tap(({ name }) => begun.push(`heard ${name}`)),
      map(({ name }) => ({ text: name })),
    );
  }
}

// The service has no generated types that the class could be checked against.
GrpcService(Records)(RecordsController as never);

const STORED = ['ada', 'eve', 'ada'].map((owner, at) => owned(`records/${at}`, owner));
const visible = (filter: ListFilter) => STORED.filter((record) => mayList(filter, record));

class ListsController {
  get(): Message {
    return STORED[0]!;
  }

  list(@Payload() _: Ask, @CurrentFilter() filter: ListFilter) {
    begin('List', undefined);
    return { records: visible(filter) };
  }

  listState(@Payload() _: Ask, @CurrentFilter() filter: ListFilter) {
    begin('ListState', undefined);
    return from(visible(filter));
  }

  listAll(@Payload() asks: Observable<Ask>, @CurrentFilter() filter: ListFilter) {
    begin('ListAll', undefined);
    return asks.pipe(
      toArray(),
      map(() => ({ records: visible(filter) })),
    );
  }

  follow(@Payload() asks: Observable<Ask>, @CurrentFilter() filter: ListFilter) {
    begin('Follow', undefined);
    return asks.pipe(concatMap(() => from(visible(filter))));
  }
}

GrpcService(Lists)(ListsController as never);

/** A server without Nest whose handlers show every record to everyone. */
async function carelessServer(): Promise<{ server: Server; address: string }> {
  const authorizer = new Authorizer(RECORDS, {
    ...AUTHZ,
    loaders: { 'records.v1.Record': () => null },
  });
  const server = new Server({ interceptors: [authzInterceptor(authorizer)] });
  for (const { name, input, output, methodKind } of Lists.methods) {
    const all = output.typeName.endsWith('Page') ? create(output, { records: STORED }) : STORED[0]!;
    const path = `/records.v1.Lists/${name}`;
    const definition = {
      path,
      requestStream: /client|bidi/.test(methodKind),
      responseStream: /server|bidi/.test(methodKind),
      requestSerialize: (bytes: Buffer) => bytes,
      requestDeserialize: (bytes: Buffer) => fromBinary(input, bytes),
      responseSerialize: (answer: Message) => Buffer.from(toBinary(output, answer)),
      responseDeserialize: (bytes: Buffer) => bytes,
    };
    const handler = (
      call: ServerDuplexStream<Message, Message>,
      done: (e: null, m: Message) => void,
    ) => {
      if (definition.requestStream) call.resume();
      if (!definition.responseStream) return done(null, all);
      call.write(all);
      call.end();
    };
    server.addService({ [name]: definition }, { [name]: handler as UntypedHandleCall });
  }
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return { server, address: `127.0.0.1:${port}` };
}

/** What a loader does for a name; each of the hostile ones must look like a refusal. */
const LOADS: Readonly<Record<string, (context: LoadContext) => unknown>> = {
  mine: () => owned('records/mine', 'ada'),
  later: async () => {
    await new Promise(setImmediate);
    return owned('records/later', 'ada');
  },
  hers: () => owned('records/hers', 'eve'),
  gone: () => null,
  missing: () => Promise.reject(new StatusError(Code.NOT_FOUND, 'no records/missing')),
  throws: () => {
    throw new Error('the secret of the store');
  },
  rejects: () => Promise.reject(new StatusError(Code.UNAVAILABLE, 'the secret of the store')),
  undefined: () => undefined,
  hangs: () => new Promise(() => {}),
  text: () => 'ada',
  plain: () => ({ name: 'records/plain', owner: 'ada' }),
  other: () => message('Answer', { text: 'ada' }),
  proxy: () => new Proxy(owned('records/proxy', 'ada'), {}),
  nothing: () => Promise.reject<unknown>(null),
  nameless: () => owned('records/nameless', ''),
};
const REFUSED = Object.keys(LOADS).filter((name) => !['mine', 'later'].includes(name));

@Injectable()
@ResourceLoader('records.v1.Record')
class RecordLoader {
  load(name: string, context: LoadContext): Promise<Message | null> {
    return LOADS[name.replace('records/', '')]!(context) as Promise<Message | null>;
  }
}

const AUTHZ: AuthzModuleOptions = {
  subject: ({ metadata }) => {
    const [id] = metadata.get('x-user');
    const roles = id === 'staff' ? ['user', 'staff'] : ['user'];
    return id === undefined ? null : { id, roles, permissions: [] };
  },
  conditions: celConditions(),
  loaderTimeout: 40,
  onDecision: (decision) => void decisions.push(decision),
};

function app(
  imports: Type['prototype'][],
  isServer: boolean,
  controllers: Type[] = [RecordsController, ListsController],
): Type {
  @Module({
    imports: [
      HostxModule.forRoot({ logger: null, drain: { delay: 0 } }),
      ProtoModule.forRoot({ descriptors: SET }),
      ...(imports as []),
    ],
    controllers: isServer ? controllers : [],
    providers: [RecordLoader],
  })
  class RecordsApp {}
  return RecordsApp;
}

const stops: (() => Promise<unknown>)[] = [];
const addresses: Record<string, string> = {};
const urls: Record<string, string> = {};

/** Serves the records over gRPC and REST in-process, and two gateways in front of it over the network. */
beforeAll(async () => {
  Logger.overrideLogger(false);
  const gateway = {
    mount: '/',
    forwardHeaders: ['x-user'],
    webSockets: webSockets({ origins: 'any' }),
  };
  const http = { port: 0, host: '127.0.0.1' };
  const start = async (type: Type) => {
    const started = await startHost(type, { http });
    stops.push(started.stop);
    return started.app!;
  };
  const server = await start(
    app(
      [
        AuthzModule.forRoot(AUTHZ),
        GrpcModule.forRoot({ port: 0, host: '127.0.0.1' }),
        GatewayModule.forRoot(gateway),
      ],
      true,
    ),
  );
  const grpc = server.get(GrpcServer, { strict: false }).address;
  addresses['gRPC'] = grpc;
  urls['REST in-process'] = await server.getUrl();
  const forwarding = await start(
    app([GatewayModule.forRoot({ ...gateway, endpoint: grpc })], false),
  );
  urls['REST over the network'] = await forwarding.getUrl();
  const careless = await carelessServer();
  stops.push(async () => careless.server.forceShutdown());
  addresses['gRPC of a careless server'] = careless.address;
  const front = await start(
    app([GatewayModule.forRoot({ ...gateway, endpoint: careless.address })], false),
  );
  urls['REST of a careless server'] = await front.getUrl();
});
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
});

interface Result {
  readonly code: string;
  readonly text: string;
}

/** Every kind of call can be made as a bidirectional one. */
function overGrpc(
  door: string,
  kind: string,
  names: readonly (string | Buffer)[],
  user: string | undefined,
): Promise<Result> {
  const client = new Client(addresses[door]!, credentials.createInsecure());
  const metadata = new Metadata();
  if (user !== undefined) metadata.set('x-user', user);
  const same = (bytes: Buffer): Buffer => bytes;
  const call = client.makeBidiStreamRequest(
    `/records.v1.${OF_RECORDS.includes(kind) ? 'Records' : 'Lists'}/${kind}`,
    same,
    same,
    metadata,
  );
  return new Promise((resolve) => {
    call.on('error', () => {});
    call.on('status', ({ code, details }: { code: number; details: string }) => {
      client.close();
      resolve({ code: codeName(code), text: code === 0 ? text : details });
    });
    let text = '';
    call.on('data', (bytes: Buffer) => {
      const { output } = (OF_RECORDS.includes(kind) ? Records : Lists).methods.find(
        ({ name }) => name === kind,
      )!;
      text += JSON.stringify(toJson(output, fromBinary(output, bytes)));
    });
    for (const name of names) call.write(typeof name === 'string' ? bytesOf(name) : name);
    call.end();
  });
}

const bytesOf = (name: string): Buffer => {
  const { input } = Records.methods[0]!;
  return Buffer.from(toBinary(input, create(input, { name: `records/${name}` })));
};

const PATHS: Readonly<Record<string, (name: string) => string>> = {
  Get: (name) => `/v1/records/${name}`,
  Watch: (name) => `/v1/records/${name}:watch`,
  Upload: () => '/v1/upload',
  Chat: () => '/v1/chat',
  List: () => '/v1/records',
  ListState: () => '/v1/records:state',
  ListAll: () => '/v1/records:all',
  Follow: () => '/v1/records:follow',
};

async function overRest(
  door: string,
  kind: string,
  names: readonly string[],
  user: string | undefined,
): Promise<Result> {
  const url = `${urls[door]}${PATHS[kind]!(names[0] ?? '')}`;
  const headers = user === undefined ? {} : { 'x-user': user };
  if (['Upload', 'Chat', 'ListAll', 'Follow'].includes(kind))
    return overWebSocket(url, headers, names);
  const answer = await fetch(url, { headers });
  const text = await answer.text();
  if (answer.ok) return { code: 'OK', text };
  const problem = JSON.parse(text) as Readonly<Record<string, string>>;
  return { code: problem['code']!, text: problem['detail']! };
}

function overWebSocket(url: string, headers: object, names: readonly string[]): Promise<Result> {
  const socket = new WebSocket(url.replace('http', 'ws'), { headers: { ...headers } });
  let last = '';
  let all = '';
  return new Promise((resolve) => {
    socket.on('error', () => {});
    socket.on('unexpected-response', (_, response) =>
      resolve({ code: `HTTP ${response.statusCode}`, text: '' }),
    );
    socket.on('open', () => {
      for (const name of names) socket.send(JSON.stringify({ name: `records/${name}` }));
      socket.send('');
    });
    socket.on('message', (data: Buffer) => {
      last = data.toString();
      all += last;
    });
    socket.on('close', () => {
      const { error } = JSON.parse(last || '{}') as { error?: { code: string; detail: string } };
      resolve(
        error === undefined ? { code: 'OK', text: all } : { code: error.code, text: error.detail },
      );
    });
  });
}

const DOORS = ['gRPC', 'REST in-process', 'REST over the network'];
const KINDS = ['Get', 'Watch', 'Upload', 'Chat'];
const OF_RECORDS = [...KINDS, 'Spend'];
const TABLE = DOORS.flatMap((door) => KINDS.map((kind) => [door, kind] as const));
const ask = (door: string, kind: string, names: readonly string[], user?: string) =>
  door.startsWith('gRPC') ? overGrpc(door, kind, names, user) : overRest(door, kind, names, user);

describe.each(TABLE)('conditions, by %s, for %s', (door, kind) => {
  it.each(['mine', 'later'])(
    'let in the owner, and give the handler the record: %s',
    async (name) => {
      expect((await ask(door, kind, [name], 'ada')).code).toBe('OK');
      expect(begun[0]).toBe(`${kind} ada`);
    },
  );

  it.each(REFUSED)('refuse before the handler begins, in the same words: %s', async (name) => {
    const answer = await ask(door, kind, [name], 'ada');
    expect(answer).toEqual({ code: 'PERMISSION_DENIED', text: 'permission denied' });
    expect(begun).toEqual([]);
  });
});

describe.each(DOORS)('conditions, by %s', (door) => {
  it('check each request of a stream', async () => {
    const { code } = await ask(door, 'Chat', ['mine', 'hers', 'mine'], 'ada');
    expect(code).toBe('PERMISSION_DENIED');
    expect(begun).toEqual(['Chat ada', 'heard records/mine']);
  });

  it('refuse a caller without the role, or without a name, before anything is loaded', async () => {
    expect(await ask(door, 'Get', ['mine'])).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(begun).toEqual([]);
  });

  it('refuse a stream without a request', async () => {
    for (const kind of ['Upload', 'Chat']) {
      expect((await ask(door, kind, [], 'ada')).code).toBe('PERMISSION_DENIED');
    }
    expect(begun).toEqual([]);
  });
});

/** The bytes of an Ask, written field by field: repeated, unknown and broken ones too. */
function written(write: (to: BinaryWriter) => BinaryWriter): Buffer {
  return Buffer.from(write(new BinaryWriter()).finish());
}
const name = (to: BinaryWriter, text: string): BinaryWriter =>
  to.tag(1, WireType.LengthDelimited).string(`records/${text}`);
const amount = (to: BinaryWriter, value: bigint): BinaryWriter =>
  to.tag(2, WireType.Varint).int64(value);
const label = (to: BinaryWriter, key: string): BinaryWriter =>
  to.tag(4, WireType.LengthDelimited).fork().tag(1, WireType.LengthDelimited).string(key).join();
const groups = (to: BinaryWriter, depth: number): BinaryWriter => {
  for (let i = 0; i < depth; i++) to.tag(99, WireType.StartGroup);
  for (let i = 0; i < depth; i++) to.tag(99, WireType.EndGroup);
  return to;
};

type Verdict = 'OK' | 'PERMISSION_DENIED' | 'not read';
const matches = (code: string, verdict: Verdict): boolean =>
  verdict === 'not read' ? !['OK', 'PERMISSION_DENIED'].includes(code) : code === verdict;

it.each<[what: string, method: string, bytes: Buffer, verdict: Verdict, began: string]>([
  ['nothing', 'Get', written((to) => to), 'PERMISSION_DENIED', ''],
  ['hers, then mine', 'Get', written((to) => name(name(to, 'hers'), 'mine')), 'OK', 'Get ada'],
  [
    'mine, then hers',
    'Get',
    written((to) => name(name(to, 'mine'), 'hers')),
    'PERMISSION_DENIED',
    '',
  ],
  [
    'a field that is not known',
    'Get',
    written((to) => name(to, 'mine').tag(99, WireType.Varint).int32(1)),
    'OK',
    'Get ada',
  ],
  [
    'an enum that is not known',
    'Get',
    written((to) => name(to, 'mine').tag(3, WireType.Varint).int32(77)),
    'OK',
    'Get ada',
  ],
  [
    'the name of a member of objects',
    'Get',
    written((to) => name(to, 'constructor')),
    'PERMISSION_DENIED',
    '',
  ],
  ['__proto__ as a name', 'Get', written((to) => name(to, '__proto__')), 'PERMISSION_DENIED', ''],
  [
    'a key of a map like __proto__',
    'Get',
    written((to) => label(name(to, 'mine'), '__proto__')),
    'OK',
    'Get ada',
  ],
  [
    'one key of a map a thousand times',
    'Get',
    written((to) =>
      Array.from({ length: 1000 }).reduce<BinaryWriter>((all) => label(all, 'a'), name(to, 'mine')),
    ),
    'OK',
    'Get ada',
  ],
  [
    'a map of 20,000 entries',
    'Get',
    written((to) =>
      Array.from({ length: 20_000 }, (_, i) => `k${i}`).reduce(label, name(to, 'hers')),
    ),
    'PERMISSION_DENIED',
    '',
  ],
  [
    'a name of a megabyte',
    'Get',
    written((to) => name(to, 'x'.repeat(1 << 20))),
    'PERMISSION_DENIED',
    '',
  ],
  ['a name with NUL', 'Get', written((to) => name(to, 'mine\0')), 'PERMISSION_DENIED', ''],
  ['a name that is not UTF-8', 'Get', Buffer.from([10, 2, 0xff, 0xfe]), 'not read', ''],
  ['a name that ends early', 'Get', Buffer.from([10, 200, 1, 65]), 'not read', ''],
  ['a number where a text belongs', 'Get', Buffer.from([8, 1]), 'not read', ''],
  [
    'groups in each other, 50,000 deep',
    'Get',
    written((to) => groups(name(to, 'hers'), 50_000)),
    'not read',
    '',
  ],
  ['more, then less', 'Spend', written((to) => amount(amount(to, 500n), 7n)), 'OK', 'Spend 7'],
  [
    'less, then more',
    'Spend',
    written((to) => amount(amount(to, 7n), 500n)),
    'PERMISSION_DENIED',
    '',
  ],
  [
    'the least int64',
    'Spend',
    written((to) => amount(to, -(2n ** 63n))),
    'OK',
    `Spend ${-(2n ** 63n)}`,
  ],
  [
    'the highest int64',
    'Spend',
    written((to) => amount(to, 2n ** 63n - 1n)),
    'PERMISSION_DENIED',
    '',
  ],
  ['a varint without an end', 'Spend', Buffer.alloc(12, 0xff), 'not read', ''],
])('a request over gRPC with %s, to %s', async (_, method, bytes, verdict, began) => {
  const { code } = await overGrpc('gRPC', method, [bytes], 'ada');
  expect([code, matches(code, verdict)]).toEqual([code, true]);
  expect(begun.join()).toBe(began);
});

const deep = (depth: number): string => '{"target":'.repeat(depth) + '}'.repeat(depth);
const SPENDING: [json: string, verdict: Verdict, began: string][] = [
  ['{"amount":100}', 'OK', 'Spend 100'],
  ['{"amount":"100"}', 'OK', 'Spend 100'],
  ['{"amount":"1e2"}', 'OK', 'Spend 100'],
  ['{"amount":null}', 'OK', 'Spend 0'],
  ['{}', 'OK', 'Spend 0'],
  ['{"amount":101}', 'PERMISSION_DENIED', ''],
  ['{"amount":1e3}', 'PERMISSION_DENIED', ''],
  ['{"amount":"9223372036854775807"}', 'PERMISSION_DENIED', ''],
  ['{"amount":"9223372036854775808"}', 'not read', ''],
  ['{"amount":100.5}', 'not read', ''],
  ['{"amount":"NaN"}', 'not read', ''],
  ['{"amount":true}', 'not read', ''],
  ['{"amount":[7]}', 'not read', ''],
  ['{"amount":{"valueOf":7}}', 'not read', ''],
  ['{"__proto__":{"amount":7},"amount":700}', 'not read', ''],
  ['{"constructor":{"prototype":{"amount":7}}}', 'not read', ''],
  ['{"Amount":7}', 'not read', ''],
  ['{"labels":{"__proto__":"a","constructor":"b"},"amount":700}', 'PERMISSION_DENIED', ''],
  ['{"labels":{"__proto__":"a"},"amount":7}', 'OK', 'Spend 7'],
  ['{"state":99,"amount":7}', 'OK', 'Spend 7'],
  ['{"state":"STATE_NONE","amount":7}', 'not read', ''],
  [`{"name":"${'x'.repeat(200_000)}","amount":700}`, 'PERMISSION_DENIED', ''],
  [deep(20_000), 'not read', ''],
  ['[{"amount":7}]', 'not read', ''],
  ['{"amount":7', 'not read', ''],
];

describe.each(['REST in-process', 'REST over the network'])('a request by %s', (door) => {
  it.each(SPENDING.map(([json, ...rest]) => [json.slice(0, 60), json, ...rest] as const))(
    'of %s',
    async (_, body, verdict, began) => {
      const headers = { 'x-user': 'ada', 'content-type': 'application/json' };
      const answer = await fetch(`${urls[door]}/v1/spend`, { method: 'POST', headers, body });
      const { code = 'OK' } = (await answer.json()) as { code?: string };
      expect([code, matches(code, verdict)]).toEqual([code, true]);
      expect(begun.join()).toBe(began);
    },
  );
});

const LISTS = ['List', 'ListState', 'ListAll', 'Follow'];

describe.each(DOORS.flatMap((door) => LISTS.map((kind) => [door, kind] as const)))(
  'a list, by %s, by %s',
  (door, kind) => {
    const owners = async (user: string): Promise<string[]> => {
      const { code, text } = await ask(door, kind, ['any'], user);
      expect(code).toBe('OK');
      return [...text.matchAll(/"owner": ?"(\w+)"/g)].map(([, owner]) => owner!);
    };

    it('shows its caller what the condition allows', async () => {
      expect(await owners('ada')).toEqual(['ada', 'ada']);
      expect(await owners('eve')).toEqual(['eve']);
      expect(await owners('sam')).toEqual([]);
      expect(await owners('staff')).toEqual(['ada', 'eve', 'ada']);
    });
  },
);

it.each(LISTS.flatMap((kind) => ['gRPC', 'REST'].map((door) => [kind, door] as const)))(
  'a list, %s by %s, sends nothing of a handler that does not ask for its filter',
  async (kind, door) => {
    const answered = await ask(`${door} of a careless server`, kind, ['any'], 'ada');
    // A WebSocket is refused with a status of HTTP if the call ends before it opens.
    expect(answered.code).toMatch(/^(INTERNAL|HTTP 500)$/);
    expect(answered.text).not.toContain('owner');
    const nobody = await ask(`${door} of a careless server`, kind, ['any']);
    expect(nobody.code).toMatch(/^(UNAUTHENTICATED|HTTP 401)$/);
  },
);

describe('an app with a list', () => {
  class Careless {
    list(): object {
      return { records: STORED };
    }
    get(@Payload() _: Ask, @CurrentFilter() filter: ListFilter): object {
      return filter;
    }
    listState = (): void => {};
    listAll(): void {}
    follow(): void {}
  }
  GrpcService(Lists)(Careless as never);

  it('does not start with handlers that do not ask for its filter, or ask for one that does not exist', async () => {
    const modules = [
      AuthzModule.forRoot(AUTHZ),
      GrpcModule.forRoot({ port: 0, host: '127.0.0.1' }),
    ];
    await expect(startHost(app(modules, true, [Careless]), { http: { port: 0 } })).rejects.toThrow(
      /Careless\.list: serves records\.v1\.Lists\/List, which lists records, and does not ask for its filter; .*@CurrentFilter\(\)[^]*Careless\.get: has @CurrentFilter\(\), and serves no RPC/,
    );
  });
});

it('each decision about a condition says which one it was, and why', async () => {
  decisions.splice(0);
  for (const name of ['mine', 'hers', 'gone', 'throws']) await ask('gRPC', 'Get', [name], 'ada');
  expect(
    decisions.map((made) => (made.allowed ? made.reason : [made.reason, made.condition])),
  ).toEqual([
    'passed',
    ['condition', 'owner'],
    ['no_resource', 'owner'],
    ['condition_error', 'owner'],
  ]);
});
