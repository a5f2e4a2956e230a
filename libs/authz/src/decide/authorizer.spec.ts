import { Metadata } from '@grpc/grpc-js';
import { type CallContext, Code, StatusError } from '@apix/contracts';
import { fakeClock } from '@apix/contracts/testing';
import { ProtoRegistry } from '@apix/proto/core';
import { create, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema, file_google_protobuf_empty } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { RpcException } from '@nestjs/microservices';
import { DECISIONS, EVERY_POLICY, type ServiceSpec, policySet } from '../policy-set.fixture.js';
import type { Subject } from '../subject/subject.js';
import type { AuthorizerOptions } from './authorizer-options.js';
import { Authorizer } from './authorizer.js';
import type { Decision } from './decision.js';

const NOBODY: Subject = { roles: [], permissions: [] };
const registry = ProtoRegistry.load(policySet(EVERY_POLICY));

function authorizer(options: Partial<AuthorizerOptions> = {}): Authorizer {
  return new Authorizer(registry, { subject: () => null, ...options });
}

function callOf(fullName: string): CallContext {
  return {
    door: 'grpc',
    method: { fullName, service: '', name: '', kind: 'unary' },
    metadata: { get: () => [], keys: () => [] },
    peer: { address: '' },
    signal: new AbortController().signal,
    forwarded: false,
  };
}

/** What came of a call: a code's name. */
async function outcome(of: Authorizer, fullName: string): Promise<string> {
  try {
    await of.admit(callOf(fullName));
    return 'OK';
  } catch (error) {
    return (error as StatusError).status;
  }
}

it('an exempt handler is no method that a caller could name', () => {
  const of = authorizer({ unannotated: 'deny', exempt: ['Chat.say', 'Orders.*'] });
  expect(of.methods.exemptions.handlers).toEqual(['Chat.say', 'Orders.*']);
  const names = [
    'Chat.say',
    'Orders.own',
    '/test.Orders/Own',
    'Chat.sayMore',
    'OrdersOfOthers.own',
  ];
  expect(names.map((name) => of.methods.exemptions.hasHandler(name))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  for (const name of names) {
    expect(of.authorize(undefined, name, NOBODY)?.status).toBe('PERMISSION_DENIED');
  }
});

describe('authorize()', () => {
  it.each(DECISIONS)('answers for %s and %j with %s', (method, who, expected) => {
    const subject = who && { ...NOBODY, ...who };
    const error = authorizer().authorize(undefined, method, subject);
    expect(error?.status ?? 'OK').toBe(expected);
  });

  it.each([
    '/test.Orders/own',
    '/test.orders/Own',
    'test.Orders/Own',
    '/test.Orders/Own/',
    '//test.Orders/Own',
    '/test.Orders/Public ',
    '/test.Orders/%50ublic',
    '/test.Orders.Public',
    '/grpc.health.v1.Health',
    '/grpc.health.v1.Health/Check/..',
    '/no.Such/Method',
    '__proto__',
    '',
  ])('refuses %j, which the descriptors do not know, whatever `unannotated` says', (method) => {
    for (const unannotated of ['allow', 'deny'] as const) {
      const error = authorizer({ unannotated }).authorize(undefined, method, {
        roles: ['admin', 'staff'],
        permissions: [],
      });
      expect(error?.status).toBe('PERMISSION_DENIED');
    }
  });

  it.each([undefined, {}, 'admin', { roles: 'admin', permissions: [] }, { roles: [1] }])(
    'fails closed for %j, which is no subject',
    (subject) => {
      const error = authorizer().authorize(undefined, '/test.Orders/Own', subject as never);
      expect(error).toMatchObject({ status: 'UNAUTHENTICATED', cause: expect.any(TypeError) });
    },
  );

  it('never throws, for any input', () => {
    const trap = new Proxy({}, { has: () => raise(new Error('trap')) });
    for (const [method, subject] of [
      [undefined, null],
      [7, {}],
      ['/test.Orders/Own', trap],
    ]) {
      const error = authorizer().authorize(undefined, method as never, subject as never);
      expect(error?.status).toBe('UNAUTHENTICATED');
    }
  });

  it('does not tell the caller which roles it lacks, unless it is asked to', () => {
    const deny = (options: Partial<AuthorizerOptions>): string | undefined =>
      authorizer(options).authorize(undefined, '/test.Orders/Compound', {
        roles: ['suspended'],
        permissions: ['orders:read'],
      })?.message;
    expect(deny({})).toBe('permission denied');
    expect(deny({ exposeReasons: true })).toBe(
      'permission denied: roles: has none of "admin"; roles: has "suspended", which is not ' +
        'allowed; permissions: lacks "orders:write"',
    );
  });
});

describe('the subject function', () => {
  const status = { code: Code.UNAVAILABLE, details: 'later' };
  const coded = Object.assign(new Error('x'), status);
  const serviceError = Object.assign(new Error('x'), { ...status, metadata: new Metadata() });
  const foreignOk = { [Symbol.for('apix.StatusError')]: true, code: 0, message: 'come in' };
  it.each<[string, () => unknown, string]>([
    ['throws', () => raise(new Error('boom')), 'UNAUTHENTICATED'],
    ['throws no error', () => raise('boom'), 'UNAUTHENTICATED'],
    ['rejects', () => Promise.reject(new Error('boom')), 'UNAUTHENTICATED'],
    ['throws a status', () => raise(new StatusError(Code.ABORTED, '')), 'ABORTED'],
    ['rejects with a status', () => Promise.reject(new StatusError(10, '')), 'ABORTED'],
    ['throws a gRPC error', () => raise(serviceError), 'UNAVAILABLE'],
    ['throws an error with a code and details', () => raise(coded), 'UNAUTHENTICATED'],
    ['throws an RpcException', () => raise(new RpcException({ code: 8 })), 'RESOURCE_EXHAUSTED'],
    ['throws the code OK', () => raise({ code: 0, details: 'come in' }), 'UNAUTHENTICATED'],
    ['throws a StatusError of OK', () => raise(new StatusError(Code.OK, '')), 'UNKNOWN'],
    ['throws a foreign StatusError of OK', () => raise(foreignOk), 'UNAUTHENTICATED'],
    ['throws an error of a database', () => raise({ code: 13, message: 'x' }), 'UNAUTHENTICATED'],
    ['throws a code that is none', () => raise({ code: 99, details: '' }), 'UNAUTHENTICATED'],
    ['returns undefined', () => undefined, 'INTERNAL'],
    ['returns no lists', () => ({ roles: 'staff', permissions: 'all' }), 'INTERNAL'],
    ['returns lists of no text', () => ({ roles: [1], permissions: [] }), 'INTERNAL'],
    ['resolves to true', () => Promise.resolve(true), 'INTERNAL'],
    ['resolves to null', () => Promise.resolve(null), 'UNAUTHENTICATED'],
    ['resolves to a subject', () => Promise.resolve({ ...NOBODY, roles: ['staff'] }), 'OK'],
    ['returns a subject', () => ({ ...NOBODY, roles: ['staff'] }), 'OK'],
  ])('that %s', async (_, subject, expected) => {
    const of = authorizer({ subject: subject as AuthorizerOptions['subject'] });
    expect(await outcome(of, '/test.Orders/Default')).toBe(expected);
  });

  it('that never settles ends the call with DEADLINE_EXCEEDED', async () => {
    const clock = fakeClock();
    const subject = (): Promise<never> => new Promise(() => {});
    const call = outcome(authorizer({ subject, clock }), '/test.Orders/Default');
    await clock.advance(5_000);
    expect(await call).toBe('DEADLINE_EXCEEDED');
  });

  it('is not asked for public, unannotated and unknown methods', async () => {
    const of = authorizer({ subject: () => raise(new Error('asked')) });
    expect(await outcome(of, '/test.Orders/Public')).toBe('OK');
    expect(await outcome(of, '/test.Bare/Nothing')).toBe('OK');
    expect(await outcome(of, '/no.Such/Method')).toBe('PERMISSION_DENIED');
  });

  it('leaves no timer behind once it has answered', async () => {
    const clock = fakeClock();
    const subject = (): Promise<Subject> => Promise.resolve({ ...NOBODY, roles: ['staff'] });
    await outcome(authorizer({ subject, clock }), '/test.Orders/Default');
    expect(clock.pending).toBe(0);
  });
});

describe("unannotated: 'deny'", () => {
  it.each([
    ['refuses a method without requirement', [], '/test.Bare/Nothing', 'PERMISSION_DENIED'],
    ['lets an exempt method in', ['/test.Bare/Nothing'], '/test.Bare/Nothing', 'OK'],
    ['lets an exempt service in', ['/test.Bare/*'], '/test.Bare/Nothing', 'OK'],
    ['keeps the policies of exempt methods', ['/test.Orders/*'], '/test.Orders/Own', undefined],
    ['lets health checks in', [], '/grpc.health.v1.Health/Check', 'OK'],
    ['lets reflection in', [], '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo', 'OK'],
    ...[
      '/test.Bare/Nope',
      '/test.Bare/nothing',
      '/test.Bare/',
      '/test.Bare/Nothing/',
      '/test.Bare//Nothing',
      '//test.Bare/Nothing',
      '/grpc.health.v1.Health/Nope',
      '/grpc.health.v1.Health/',
      '/grpc.reflection.v1.ServerReflection/Nope',
    ].map(
      (name) =>
        [
          `refuses ${name}, which does not exist`,
          ['/test.Bare/*'],
          name,
          'PERMISSION_DENIED',
        ] as const,
    ),
  ])('%s', async (_, exempt, method, expected = 'UNAUTHENTICATED') => {
    expect(await outcome(authorizer({ unannotated: 'deny', exempt }), method)).toBe(expected);
  });
});

describe('decisions', () => {
  it('are observed, each with its reason, and observers do not matter', async () => {
    const seen: Decision[] = [];
    const of = authorizer({
      subject: () => ({ ...NOBODY, roles: ['staff'] }),
      onDecision: (decision) => {
        seen.push(decision);
        throw new Error('observer');
      },
    });
    const methods = ['Own', 'Default', 'Public', 'Empty'].map((name) => `/test.Orders/${name}`);
    for (const method of [...methods, '/test.Bare/Nothing', '/no.Such/Method']) {
      await outcome(of, method);
    }
    expect(seen.map(({ allowed, reason }) => [allowed, reason])).toEqual([
      [false, 'roles'],
      [true, 'passed'],
      [true, 'public'],
      [true, 'passed'],
      [true, 'unannotated'],
      [false, 'unknown_method'],
    ]);
    expect(seen[1]).toMatchObject({
      method: '/test.Orders/Default',
      subject: { roles: ['staff'] },
    });
  });

  it('are not changed by an observer that rejects, and the process lives', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', note);
    const of = authorizer({
      subject: () => ({ ...NOBODY, roles: ['staff'] }),
      onDecision: async () => {
        throw new Error('observer');
      },
    });
    expect(await outcome(of, '/test.Orders/Default')).toBe(
      await outcome(of, '/test.Orders/Public'),
    );
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  it('let every call through in shadow mode, and say so', async () => {
    const seen: Decision[] = [];
    const of = authorizer({ mode: 'shadow', onDecision: (decision) => void seen.push(decision) });
    expect(await outcome(of, '/test.Orders/Own')).toBe('OK');
    expect(of.authorize(undefined, '/test.Orders/Own', NOBODY)).toBeNull();
    expect(seen).toMatchObject([
      { allowed: false, reason: 'anonymous', shadow: true },
      { allowed: false, reason: 'roles', shadow: true },
    ]);
  });

  it.each([
    [
      'a subject whose getters throw',
      '/test.Orders/Own',
      Object.defineProperty({ permissions: [] }, 'roles', {
        get: () => {
          throw new Error('no roles');
        },
      }),
      'subject_error',
    ],
    ['a name that is not a string', 7, NOBODY, 'unknown_method'],
  ])('let %s through in shadow mode, counted and reported', (_what, name, subject, reason) => {
    const seen: Decision[] = [];
    const of = authorizer({ mode: 'shadow', onDecision: (decision) => void seen.push(decision) });
    expect(of.authorize(undefined, name as never, subject as never)).toBeNull();
    expect(seen).toMatchObject([{ allowed: false, reason, method: String(name), shadow: true }]);
    expect([...of.metrics()].map(({ value }) => value)).toEqual([0, 0, 1]);
  });

  it('refuse two calls at once for one reason with an error each, told each on its own', async () => {
    const told: unknown[] = [];
    const of = authorizer({
      subject: () => Promise.resolve(NOBODY),
      onDecision: (decision) => void told.push('error' in decision && decision.error),
    });
    const own = (): Promise<unknown> =>
      Promise.resolve(of.admit(callOf('/test.Orders/Own'))).catch((error: unknown) => error);
    const errors = await Promise.all([own(), own()]);
    expect(errors).toEqual(told);
    expect(errors).toMatchObject([
      { status: 'PERMISSION_DENIED' },
      { status: 'PERMISSION_DENIED' },
    ]);
    expect(new Set([...errors, ...told]).size).toBe(2);
  });

  it('are counted', async () => {
    const of = authorizer();
    await outcome(of, '/test.Orders/Public');
    await outcome(of, '/test.Orders/Own');
    const readings = [...of.metrics()].map(({ attributes, value }) => [attributes, value]);
    expect(readings).toEqual([
      [{ outcome: 'allowed' }, 1],
      [{ outcome: 'denied' }, 1],
      [{ outcome: 'shadowed' }, 0],
    ]);
  });

  it('are explained rule by rule', () => {
    const { allowed, reason, findings } = authorizer().explain('/test.Orders/Compound', {
      roles: ['admin'],
      permissions: ['orders:read'],
    });
    expect({ allowed, reason }).toEqual({ allowed: false, reason: 'permissions' });
    expect(findings).toMatchObject([
      { on: 'roles', list: 'any_of', passed: true, matter: ['admin'] },
      { on: 'roles', list: 'none_of', passed: true, matter: [] },
      { on: 'permissions', list: 'all_of', passed: false, matter: ['orders:write'] },
    ]);
    expect(authorizer().explain('/test.Orders/Public', null).reason).toBe('public');
    expect(authorizer().explain('/no.Such/Method', null).reason).toBe('unknown_method');
  });

  it('can be predicted from the policy, by code that describes the API', () => {
    const of = authorizer({ unannotated: 'deny' });
    expect(of.policyOf('/test.Orders/Public')).toEqual({ kind: 'public' });
    expect(of.policyOf('/test.Orders/Default')).toMatchObject({ kind: 'protected' });
    expect(of.policyOf('/test.Bare/Nothing')).toEqual({ kind: 'unannotated', allowed: false });
    expect(of.policyOf('/no.Such/Method')).toBeUndefined();
  });
});

describe('the start is refused, with every mistake at once,', () => {
  const start = (
    services: Readonly<Record<string, ServiceSpec>>,
    options = {},
  ): (() => unknown) => {
    const protos = ProtoRegistry.load(policySet(services));
    return () => new Authorizer(protos, { subject: () => null, ...options });
  };

  it.each<[string, ServiceSpec, RegExp]>([
    [
      'for public beside rules',
      { methods: { M: { requires: { public: true, roles: { anyOf: ['a'] } } } } },
      /rpc test\.S\.M.*public cannot be combined with roles or permissions/,
    ],
    [
      'for a value in all_of and none_of',
      { default: { permissions: { allOf: ['a', 'b'], noneOf: ['b'] } }, methods: {} },
      /service test\.S.*permissions can never pass: "b" is in all_of and in none_of/,
    ],
    [
      'for an any_of that none_of forbids',
      { methods: { M: { requires: { roles: { anyOf: ['a'], noneOf: ['a'] } } } } },
      /roles can never pass: every value of any_of is in none_of/,
    ],
    [
      'for an empty string',
      { methods: { M: { requires: { roles: { anyOf: ['a', ''] } } } } },
      /roles\.any_of contains an empty string/,
    ],
  ])('%s', (_, service, message) => {
    expect(start({ S: service })).toThrow(message);
  });

  it('and wrong options are among them', () => {
    const twice = { requires: { roles: { anyOf: [''] } } };
    const wrong = { subject: 'me', unannotated: 'no', mode: 'off', subjectTimeout: 'soon' };
    const error = thrown(
      start({ S: { methods: { A: twice, B: twice } } }, { ...wrong, exempt: ['/x', '/test.S/C'] }),
    );
    expect(error).toMatchObject({ name: 'PolicyError' });
    expect((error as { mistakes: string[] }).mistakes).toHaveLength(8);
  });

  it('for an option that no compiler resolved', () => {
    const set = policySet({ S: { methods: { M: {} } } });
    const protos = ProtoRegistry.load(withUninterpretedOption(set));
    expect(() => new Authorizer(protos, { subject: () => null })).toThrow(
      /the compiler left options unresolved/,
    );
  });

  it('for fields of a requirement that this version does not know', () => {
    const set = policySet({ S: { methods: { M: { requires: { roles: { anyOf: ['abc'] } } } } } });
    const newer = Uint8Array.from(set);
    const field = Buffer.from(set).indexOf('abc') - 2;
    newer[field] = (9 << 3) | 2;
    const protos = ProtoRegistry.load(newer);
    expect(() => new Authorizer(protos, { subject: () => null })).toThrow(/does not know/);
  });

  it('for a requirement that is no Requirement', () => {
    const set = policySet({ S: { methods: { M: { requires: { roles: { anyOf: ['abc'] } } } } } });
    const at = Buffer.from(set).indexOf('abc');
    const broken = Uint8Array.from(set);
    broken[at - 1] = 0x7f;
    const protos = ProtoRegistry.load(broken);
    expect(() => new Authorizer(protos, { subject: () => null })).toThrow(
      /not an apix.authz.Requirement/,
    );
  });
});

/** Such a set comes from a parser that does not know the option, as some tools have it. */
function withUninterpretedOption(set: Uint8Array): Uint8Array {
  const { file } = ProtoRegistry.load(set).registry.getFile('test.proto')!
    ? { file: ProtoRegistry.load(set).files() }
    : { file: [file_google_protobuf_empty.proto] };
  const method = file.find(({ name }) => name === 'test.proto')!.service[0]!.method[0]!;
  method.options!.uninterpretedOption.push({
    $typeName: 'google.protobuf.UninterpretedOption',
    name: [],
    identifierValue: 'x',
  } as never);
  return toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: [...file] }));
}

function raise(error: unknown): never {
  throw error;
}

function thrown(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
