import { Code, type StatusDetail } from '@apix/contracts';
import {
  create,
  type DescMessage,
  fromBinary,
  type Message,
  setExtension,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import {
  anyPack,
  EmptySchema,
  type FieldDescriptorProto,
  FieldDescriptorProtoSchema,
  FieldOptionsSchema,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import { readFileSync } from 'node:fs';
import { ProtoRegistry } from '@apix/proto/core';
import { describe, expect, it, jest } from '@jest/globals';
import { celConditions } from '../conditions/cel-conditions.js';
import type { CelValues } from '../cel/cel-scope.js';
import type { ConditionLanguage } from '../conditions/condition-language.js';
import type { AuthorizerOptions } from '../decide/authorizer-options.js';
import { Authorizer } from '../decide/authorizer.js';
import type { BegunCall } from '../decide/admission.js';
import type { Decision } from '../decide/decision.js';
import { field, FIELDS, fieldsWith, listingPeople } from '../fields.fixture.js';
import { visible, VisibilitySchema } from '../gen/apix/authz/authz_pb.js';
import { findByPaths, HiddenPaths, maskPlaces, stepsOf } from './mask-paths.js';
import type { Masks } from './type-mask.js';
import { prepareSubject } from '../subject/checked-subject.js';
import type { Subject } from '../subject/subject.js';

const descOf = (name: string): DescMessage => FIELDS.registry.getMessage(`fields.v1.${name}`)!;
const PERSON = descOf('Person');
const person = (init: Readonly<Record<string, unknown>> = {}): Message => field('Person', init);

const ADA: Subject = { id: 'ada', roles: ['user'], permissions: [] };
const STAFF: Subject = { id: 'sam', roles: ['user', 'staff'], permissions: [] };
const BOSS: Subject = { ...STAFF, permissions: ['people:age'] };
const FIELDS_SET = new URL('../../testdata/fields.binpb', import.meta.url);
const SHOP = new URL('../../../../apps/demo/gen/shop.binpb', import.meta.url);
const ALL_HIDDEN = {
  phone: 'TAINT',
  age: 0,
  email: 'TAINT',
  notes: ['TAINT'],
  keys: { TAINT: 'TAINT' },
  home: field('Address', { street: 'TAINT' }),
  contact: { case: 'pager', value: 'TAINT' },
  rank: 1,
  photo: Buffer.from('TAINT'),
};

function authorizerWith(options: Partial<AuthorizerOptions> = {}): Authorizer {
  return new Authorizer(FIELDS, { subject: () => ADA, conditions: celConditions(), ...options });
}

const AUTHORIZER = authorizerWith();

function shown(message: object, subject: Subject | null): unknown {
  return AUTHORIZER.mask(message, subject);
}

const jsonOf = (message: unknown): unknown =>
  toJson(PERSON, message as Message, { registry: FIELDS.registry });

/** Everything that a message has, also what JSON does not show. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    each instanceof Uint8Array
      ? Buffer.from(each).toString('latin1')
      : typeof each === 'bigint'
        ? String(each)
        : each,
  );
}

describe('a message', () => {
  it('is shown without the fields that its caller may not see, and is not changed', () => {
    const given = person({ name: 'people/1', owner: 'eve', ...ALL_HIDDEN });
    const before = textOf(given);
    expect(jsonOf(shown(given, ADA))).toEqual({
      name: 'people/1',
      owner: 'eve',
      photo: 'VEFJTlQ=',
    });
    expect(jsonOf(shown(given, null))).toEqual({ name: 'people/1', owner: 'eve' });
    expect(textOf(shown(given, null))).not.toContain('TAINT');
    expect(textOf(given)).toBe(before);
  });

  it('is the very same for those who see all that is set', () => {
    const given = person({ ...ALL_HIDDEN, age: undefined });
    expect(shown(given, STAFF)).toBe(given);
    const open = person({ name: 'people/1', friends: [person({ name: 'people/2' })] });
    for (const who of [null, ADA, STAFF, BOSS]) expect(shown(open, who)).toBe(open);
  });

  it.each<[string, Subject | null, boolean]>([
    ['ada', ADA, true],
    ['eve', ADA, false],
    ['eve', STAFF, true],
    ['', null, false],
    ['', { roles: ['user'], permissions: [] }, false],
    ['ada', { ...ADA, id: { toString: () => 'ada' } as never }, false],
  ])('of %s shows a field by a condition on itself', (owner, who, isShown) => {
    const email = 'e@example.com';
    const result = shown(person({ owner, email }), who) as { email: string };
    expect(result.email).toBe(isShown ? email : '');
  });

  it('is written as one in which the hidden fields were never set', () => {
    const open = { name: 'people/1', owner: 'eve' };
    const masked = shown(person({ ...open, ...ALL_HIDDEN }), null) as Message;
    expect(toBinary(PERSON, masked)).toEqual(toBinary(PERSON, person(open)));
    expect(JSON.stringify(masked)).toBe(JSON.stringify(person(open)));
  });

  it('of proto2 has the default of a hidden field', () => {
    const set = fromBinary(FileDescriptorSetSchema, readFileSync(FIELDS_SET));
    const hidden = create(FieldOptionsSchema);
    setExtension(hidden, visible, create(VisibilitySchema));
    const text = { label: 1, type: 9 } as const;
    set.file.push(
      create(FileDescriptorProtoSchema, {
        name: 'old.proto',
        package: 'old',
        syntax: 'proto2',
        dependency: ['apix/authz/authz.proto'],
        messageType: [
          {
            name: 'Old',
            field: [
              { ...text, name: 'secret', number: 1, defaultValue: 'none', options: hidden },
              { ...text, name: 'open', number: 2, defaultValue: 'some' },
            ],
          },
        ],
      }),
    );
    const old = ProtoRegistry.load(toBinary(FileDescriptorSetSchema, set));
    const desc = old.registry.getMessage('old.Old')!;
    const authorizer = new Authorizer(old, { subject: () => ADA, conditions: celConditions() });
    const masked = authorizer.mask(create(desc, { secret: 'TAINT', open: 'a' }), null);
    expect(masked).toMatchObject({ secret: 'none', open: 'a' });
    expect(toBinary(desc, masked)).toEqual(toBinary(desc, create(desc, { open: 'a' })));
  });

  it.each([
    ['a condition is evaluated once for all of its fields', ADA, 21],
    ['a condition that is true of the caller is not evaluated for each message', STAFF, 2],
  ])('of a list: %s', (_, who, times) => {
    const condition = "this.owner == subject.id || 'staff' in subject.roles";
    const registry = fieldsWith({ 'Person.email': { condition }, 'Person.notes': { condition } });
    let evaluations = 0;
    const language = celConditions();
    const counting: ConditionLanguage = {
      ...language,
      compile: (source, scope) => {
        const compiled = language.compile(source, scope);
        if (!('evaluate' in compiled)) return compiled;
        const evaluate = (values: CelValues): unknown => {
          evaluations++;
          return compiled.evaluate(values);
        };
        return { ...compiled, evaluate };
      },
    };
    const authorizer = new Authorizer(registry, { subject: () => null, conditions: counting });
    const owners = Array.from({ length: 20 }, (_each, n) => (n % 2 === 0 ? 'ada' : 'eve'));
    const all = owners.map((owner) => person({ owner, email: 'e', notes: ['n'] }));
    const list = create(descOf('People'), { people: all });
    const { people } = authorizer.mask(list, who) as unknown as { people: { email: string }[] };
    const seen = owners.map((owner) => (owner === who.id || who === STAFF ? 'e' : ''));
    expect([evaluations, people.map(({ email }) => email)]).toEqual([times, seen]);
  });

  it('shows zero values of optional fields only to those who see them', () => {
    const given = person({ age: 0 });
    expect(jsonOf(shown(given, STAFF))).toEqual({});
    expect(jsonOf(shown(given, BOSS))).toEqual({ age: 0 });
    expect(Object.hasOwn(given, 'age')).toBe(true);
  });

  it.each<[string, (inner: Message) => Readonly<Record<string, unknown>>]>([
    ['a list', (inner) => ({ friends: [person({ name: 'a' }), inner] })],
    ['a map', (inner) => ({ children: { a: inner, __proto__: inner, constructor: inner } })],
    ['a oneof', (inner) => ({ contact: { case: 'agent', value: inner } })],
    ['an Any', (inner) => ({ extra: anyPack(PERSON, inner) })],
    [
      'a list of Any',
      (inner) => ({ extras: [anyPack(descOf('Open'), field('Open')), anyPack(PERSON, inner)] }),
    ],
    [
      'lists of lists',
      (inner) => ({ friends: [person({ friends: [person({ friends: [inner] })] })] }),
    ],
    [
      'an Any in an Any',
      (inner) => ({ extra: anyPack(PERSON, person({ extra: anyPack(PERSON, inner) })) }),
    ],
  ])('hides in %s, and copies only the path to it', (_, of) => {
    const work = field('Address', { street: 'High Street' });
    const given = person({ name: 'outer', work, ...of(person({ name: 'inner', ...ALL_HIDDEN })) });
    const before = textOf(given);
    const result = shown(given, null) as Record<string, unknown>;
    expect(textOf(result)).not.toContain('TAINT');
    expect(JSON.stringify(jsonOf(result))).toContain('inner');
    expect(result['work']).toBe(work);
    expect(textOf(given)).toBe(before);
    expect(
      toJson(PERSON, fromBinary(PERSON, toBinary(PERSON, result as never)), {
        registry: FIELDS.registry,
      }),
    ).toEqual(jsonOf(result));
    expect(textOf(shown(given, BOSS))).toContain('TAINT');
  });

  it('keeps keys of maps that are names of JavaScript', () => {
    const children = Object.fromEntries([['__proto__', person({ name: 'a', phone: 'TAINT' })]]);
    const result = shown(person({ children }), ADA);
    expect(JSON.stringify(jsonOf(result))).toBe('{"children":{"__proto__":{"name":"a"}}}');
  });

  it.each<[string, unknown]>([
    [
      'a type that is not known',
      { $typeName: 'google.protobuf.Any', typeUrl: 'x/test.Unknown', value: Buffer.from('TAINT') },
    ],
    [
      'bytes that are not a message',
      { $typeName: 'google.protobuf.Any', typeUrl: 'x/fields.v1.Person', value: Buffer.from([7]) },
    ],
    [
      'no bytes',
      { $typeName: 'google.protobuf.Any', typeUrl: 'x/fields.v1.Person', value: 'TAINT' },
    ],
    ['no type', { $typeName: 'google.protobuf.Any', typeUrl: '', value: Buffer.from('TAINT') }],
  ])('with an Any of %s is not shown to those who do not see everything', (_, extra) => {
    const given = person({ extra });
    expect(() => shown(given, ADA)).toThrow(Error);
    const roles = { anyOf: ['staff'] };
    const plainRules = new Authorizer(fieldsWith({ 'Person.email': { roles } }), {
      subject: () => null,
    });
    expect(plainRules.mask(given, BOSS)).toBe(given);
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['a message of another type', { friends: [field('Address', { doorCode: 'TAINT' })] }],
    ['a list that is not an array', { friends: new Set([person({ phone: 'TAINT' })]) }],
    ['a map that is not an object', { children: new Map([['a', person({ phone: 'TAINT' })]]) }],
  ])('with %s is not shown', (_, members) => {
    expect(() => shown(Object.assign(person(), members), ADA)).toThrow(/authz: /);
  });

  it('hides fields that the code that read it did not know', () => {
    const bytes = toBinary(
      PERSON,
      person({ name: 'a', ...ALL_HIDDEN, friends: [person({ phone: 'TAINT' })] }),
    );
    const $unknown = unknownFieldsOf(bytes).filter(({ no }) => no !== 1);
    const stale = Object.assign(person({ name: 'a' }), {
      $unknown: [...$unknown, { no: 99, wireType: 0, data: Uint8Array.of(1) }],
    });
    const result = shown(stale, null) as { $unknown: readonly { no: number }[] };
    expect(result.$unknown.map(({ no }) => no)).toEqual([99]);
    expect(stale.$unknown.length).toBeGreaterThan(5);
  });

  it('that holds itself, or is nested without end, is not shown', () => {
    const own = person({ phone: 'TAINT' }) as Message & { friends: Message[] };
    own.friends = [own];
    expect(() => shown(own, ADA)).toThrow(RangeError);
  });

  it('that is deep or large is masked throughout', () => {
    let deep = person({ phone: 'TAINT' });
    for (let i = 0; i < 500; i++) deep = person({ friends: [deep], phone: 'TAINT' });
    expect(textOf(shown(deep, ADA))).not.toContain('TAINT');
    const friends = Array.from({ length: 10_000 }, (_, i) =>
      person({ name: `${i}`, phone: 'TAINT' }),
    );
    const large = shown(person({ friends }), ADA) as { friends: unknown[] };
    expect(large.friends).toHaveLength(10_000);
    expect(textOf(large)).not.toContain('TAINT');
  });
});

/** The fields of a message as protobuf-es keeps those that it does not know. */
function unknownFieldsOf(bytes: Uint8Array): readonly { readonly no: number }[] {
  return fromBinary(EmptySchema, bytes).$unknown ?? [];
}

describe('a value that is not a message', () => {
  it.each<[string, (inner: unknown) => unknown]>([
    ['a list', (inner) => [1, inner, null]],
    ['an object', (inner) => ({ a: { b: inner }, c: 1 })],
    ['a Map', (inner) => new Map([['a', inner]])],
    ['a Set', (inner) => new Set([inner])],
    ['an object with toJSON', (inner) => ({ toJSON: () => ({ inner }) })],
  ])('is shown with masked messages in it: %s', (_, of) => {
    const inner = person({ name: 'a', phone: 'TAINT' });
    const given = of(inner);
    expect(textOf(plain(AUTHORIZER.mask(given, ADA)))).not.toContain('TAINT');
    expect(AUTHORIZER.mask(given, BOSS)).toEqual(given);
    expect(textOf(inner)).toContain('TAINT');
  });

  it('keeps its class, and is the same if there is nothing to hide', () => {
    class Page {
      constructor(readonly items: unknown[]) {}
      get size(): number {
        return this.items.length;
      }
    }
    const page = AUTHORIZER.mask(new Page([person({ phone: 'TAINT' })]), ADA);
    expect(page).toBeInstanceOf(Page);
    expect(page.size).toBe(1);
    expect(textOf(page)).not.toContain('TAINT');
    const loop: Record<string, unknown> = { at: new Date(), bytes: Buffer.from('a') };
    loop['self'] = loop;
    for (const each of [loop, 'a', 1n, null, undefined, [field('Open', { text: 'a' })]]) {
      expect(AUTHORIZER.mask(each, ADA)).toBe(each);
    }
  });
});

function plain(value: unknown): unknown {
  if (value instanceof Map || value instanceof Set) return [...value];
  return value;
}

describe('an object in the shape of a message', () => {
  const begin = (): BegunCall => AUTHORIZER.begin(callOf('/fields.v1.Directory/Get')) as BegunCall;

  class Entity {
    readonly name = 'a';
    get phone(): string {
      return 'TAINT';
    }
  }

  it.each<[string, object]>([
    ['of protobuf-es', { name: 'a', phone: 'TAINT', contact: { case: 'pager', value: 'TAINT' } }],
    [
      'of proto-loader',
      { name: 'a', pager: 'TAINT', work: { door_code: 'TAINT', doorCode: 'TAINT' } },
    ],
    [
      'with nested shapes',
      { name: 'a', friends: [{ home: {}, phone: 'TAINT' }], children: { a: { phone: 'TAINT' } } },
    ],
    [
      'with a message in a oneof',
      { name: 'a', contact: { case: 'agent', value: { phone: 'TAINT' } } },
    ],
    ['of a class with getters', new Entity()],
    ['that is bytes', toBinary(PERSON, person({ name: 'a', phone: 'TAINT' }))],
  ])('is masked as well: %s', (_, given) => {
    const before = textOf(given);
    const answer = begin().onAnswer!(given);
    expect(textOf(answer)).not.toContain('TAINT');
    expect(textOf(answer)).toContain('a');
    expect(textOf(given)).toBe(before);
  });

  it('shows what a condition on it lets its caller see', () => {
    const mine = begin().onAnswer!({ owner: 'ada', email: 'mine' });
    expect(mine).toMatchObject({ email: 'mine' });
    expect(begin().onAnswer!({ owner: 'eve', email: 'hers' })).not.toHaveProperty('email');
    // Names of proto-loader: a condition would read an owner that is not there.
    const foreign = begin().onAnswer!({
      owner: 'ada',
      email: 'x',
      work: {},
      door_code: 1,
      jsonName: 1,
      pager: 'x',
    });
    expect(foreign).not.toHaveProperty('email');
  });

  it('shows what a condition lets its caller see by a field that the caller does not see', () => {
    const staff = { roles: { anyOf: ['staff'] } };
    const condition = 'this.owner == subject.id';
    const registry = fieldsWith({ 'Person.owner': staff, 'Person.email': { condition } });
    const authorizer = new Authorizer(registry, {
      subject: () => ADA,
      conditions: celConditions(),
    });
    const { onAnswer } = authorizer.begin(callOf('/fields.v1.Directory/Get')) as BegunCall;
    expect(onAnswer!({ owner: 'ada', email: 'mine' })).toEqual({ email: 'mine' });
    expect(onAnswer!({ owner: 'eve', email: 'hers', name: 'e' })).toEqual({ name: 'e' });
  });

  it.each([[undefined], [null], ['a'], [7], [[]], [new Date(0)]])(
    'that is none is left to what writes it: %p',
    (given) => {
      expect(begin().onAnswer!(given)).toBe(given);
    },
  );
});

function callOf(fullName: string) {
  return {
    door: 'grpc' as const,
    method: { fullName, service: '', name: '', kind: 'unary' as const },
    metadata: { get: () => [], keys: () => [] },
    peer: { address: '' },
    signal: new AbortController().signal,
    forwarded: false,
  };
}

describe('a mask in a request', () => {
  const asked = async (method: string, request: Message, who = ADA): Promise<unknown> => {
    const decisions: Decision[] = [];
    const authorizer = authorizerWith({
      subject: () => who,
      onDecision: (each) => void decisions.push(each),
    });
    const begun = await authorizer.begin(callOf(`/fields.v1.Directory/${method}`));
    try {
      await begun.onMessage?.(request);
      return 'OK';
    } catch (error) {
      expect(error).toMatchObject({ code: Code.PERMISSION_DENIED, message: 'permission denied' });
      const last = decisions.at(-1);
      return last?.allowed === false ? `${last.reason} ${last.field}` : 'not reported';
    }
  };
  const mask = (...paths: string[]): object => ({ paths });

  it.each<[string, string]>([
    ['name', 'OK'],
    ['phone', 'hidden_field fields.v1.Person.phone'],
    ['phone.anything', 'hidden_field fields.v1.Person.phone'],
    ['home.street', 'hidden_field fields.v1.Person.home'],
    ['work', 'hidden_field fields.v1.Address.door_code'],
    ['work.street', 'OK'],
    ['work.door_code', 'hidden_field fields.v1.Address.door_code'],
    ['work.doorCode', 'hidden_field fields.v1.Address.door_code'],
    ['friends.phone', 'hidden_field fields.v1.Person.phone'],
    ['friends.*.phone', 'hidden_field fields.v1.Person.phone'],
    ['children.a.phone', 'hidden_field fields.v1.Person.phone'],
    ['children.`a.b`.phone', 'hidden_field fields.v1.Person.phone'],
    ['children.`a.b`.name', 'OK'],
    ['email', 'hidden_field fields.v1.Person.email'],
    ['*', 'hidden_field fields.v1.Person.phone'],
    ['', 'hidden_field fields.v1.Person.phone'],
    ['nothing', 'OK'],
    ['constructor', 'OK'],
    ['__proto__', 'OK'],
  ])('of an update that names %p: %s', async (path, expected) => {
    const request = field('UpdatePerson', {
      person: { owner: 'ada' },
      updateMask: mask('name', path),
    });
    expect(await asked('Update', request)).toBe(expected);
    expect(await asked('Update', request, BOSS)).toBe('OK');
  });

  it.each<[string, string, string]>([
    ['Get', 'name', 'OK'],
    ['Get', '*', 'OK'],
    ['Get', 'work', 'OK'],
    ['Get', 'phone', 'hidden_field fields.v1.Person.phone'],
    ['List', 'people.phone', 'hidden_field fields.v1.Person.phone'],
    ['List', 'phone', 'hidden_field fields.v1.Person.phone'],
    ['List', 'people', 'OK'],
    ['Chat', 'agent.phone', 'hidden_field fields.v1.Person.phone'],
  ])('of a read by %s that names %s: %s', async (method, path, expected) => {
    expect(await asked(method, field('GetPerson', { readMask: mask(path) }))).toBe(expected);
  });
});

describe('the details of a status', () => {
  const detail = (type: string, value: Uint8Array): StatusDetail => ({
    typeUrl: `x/${type}`,
    value,
  });
  const phone = toBinary(PERSON, person({ name: 'a', phone: 'TAINT' }));

  it('are shown without hidden fields, and not if they cannot be looked into', () => {
    const details = [
      detail('fields.v1.Person', phone),
      detail('fields.v1.Person', Buffer.from([7])),
      detail('test.Unknown', Buffer.from('TAINT')),
      detail('google.rpc.Status', Buffer.from('TAINT')),
      detail('google.rpc.RetryInfo', Buffer.from([1])),
      detail('fields.v1.Open', Buffer.from([])),
    ];
    const begun = AUTHORIZER.begin(callOf('/fields.v1.Directory/Plain')) as BegunCall;
    const [first, ...others] = begun.onDetails!(details);
    expect(toJson(PERSON, fromBinary(PERSON, first!.value))).toEqual({ name: 'a' });
    expect(others.map(({ typeUrl }) => typeUrl)).toEqual([
      'x/google.rpc.RetryInfo',
      'x/fields.v1.Open',
    ]);
    expect(AUTHORIZER.detailsForAnyone(details, '')).toHaveLength(3);
  });
});

describe('an app', () => {
  it('does nothing for methods whose answers hide nothing', async () => {
    const begun = await AUTHORIZER.begin(callOf('/fields.v1.Directory/Plain'));
    const there = Object.entries(begun).filter(([, member]) => member !== undefined);
    expect(there.map(([name]) => name)).toEqual(['subject', 'onDetails']);
  });

  it('shows everything in shadow mode', async () => {
    const shadow = authorizerWith({ mode: 'shadow' });
    const given = person(ALL_HIDDEN);
    expect(shadow.mask(given, null)).toBe(given);
    const begun = await shadow.begin(callOf('/fields.v1.Directory/Get'));
    expect(Object.keys(begun)).toEqual(['subject']);
  });

  it('decides about a prepared subject once', () => {
    const who = prepareSubject(ADA);
    const given = person({ phone: 'TAINT' });
    for (let i = 0; i < 3; i++) expect(jsonOf(shown(given, who))).toEqual({});
  });

  it('tells who sees a field', () => {
    expect(AUTHORIZER.visibilityOf('fields.v1.Person.phone')).toMatchObject({
      roles: { anyOf: ['staff'] },
    });
    expect(AUTHORIZER.visibilityOf('fields.v1.Person.name')).toBeUndefined();
  });
});

describe('boot', () => {
  const mistakesOf = (
    of: Parameters<typeof fieldsWith>[0],
    options: Partial<AuthorizerOptions> = {},
  ): readonly string[] => {
    try {
      void new Authorizer(fieldsWith(of), {
        subject: () => null,
        conditions: celConditions(),
        ...options,
      });
      return [];
    } catch (error) {
      return (error as { mistakes: readonly string[] }).mistakes;
    }
  };

  it('lists all mistakes at once, with file, line and column', () => {
    const mistakes = mistakesOf({
      'Person.phone': { condition: 'this.nobody == 1' },
      'Person.email': { condition: 'this.owner' },
      'Person.notes': { condition: 'request.name == "a"' },
      'Person.rank': { roles: { anyOf: [''] } },
      'Person.keys': { roles: { allOf: ['a'], noneOf: ['a'] } },
    });
    expect(mistakes).toHaveLength(5);
    const place =
      /^fields\/v1\/fields\.proto:\d+:\d+: field fields\.v1\.Person\.\w+, option \(apix\.authz\.visible\)/;
    for (const mistake of mistakes) expect(mistake).toMatch(place);
    expect(mistakes.join('\n')).toMatch(/nobody[^]*bool, not string[^]*request/);
  });

  it('refuses conditions that nothing evaluates', () => {
    const [mistake, ...others] = mistakesOf({}, { conditions: undefined as never });
    expect(mistake).toContain('has conditions, which are not enabled');
    expect(others).toEqual([]);
  });

  it('refuses to hide what must always be set, entries of maps and extensions', () => {
    const set = fromBinary(FileDescriptorSetSchema, readFileSync(SHOP));
    const file = (name: string) => set.file.find((each) => each.name === name)!;
    const message = (path: string, name: string) =>
      file(path).messageType.find((each) => each.name === name)!;
    const hide = (proto: FieldDescriptorProto): void => {
      proto.options ??= create(FieldOptionsSchema);
      setExtension(proto.options, visible, create(VisibilitySchema));
    };
    const product = message('shop/v1/catalog.proto', 'Product');
    for (const name of ['name', 'title', 'price']) {
      hide(product.field.find((each) => each.name === name)!);
    }
    hide(message('shop/v1/order.proto', 'Order').nestedType[0]!.field[0]!);
    const catalog = file('shop/v1/catalog.proto');
    for (const [number, typeName] of [
      [60_001, undefined],
      [60_002, '.shop.v1.Order'],
    ] as const) {
      const extension = create(FieldDescriptorProtoSchema, {
        name: `extra_${number}`,
        number,
        label: 1,
        extendee: '.google.protobuf.MessageOptions',
        ...(typeName === undefined ? { type: 9 } : { type: 11, typeName }),
      });
      if (typeName === undefined) hide(extension);
      catalog.extension.push(extension);
    }
    catalog.dependency.push('google/protobuf/descriptor.proto', 'shop/v1/order.proto');
    let mistakes: readonly string[] = [];
    try {
      void new Authorizer(ProtoRegistry.load(toBinary(FileDescriptorSetSchema, set)), {
        conditions: celConditions(),
        subject: () => null,
      });
    } catch (error) {
      ({ mistakes } = error as { mistakes: readonly string[] });
    }
    const said = mistakes.join('\n');
    expect(said).toContain(
      'Product.name, option (apix.authz.visible): cannot be hidden, because its (google.api.field_behavior) is IDENTIFIER',
    );
    expect(said).toContain(
      'Product.title, option (apix.authz.visible): cannot be hidden, because its (google.api.field_behavior) is REQUIRED',
    );
    expect(said).toContain(
      'Product.price, option (apix.authz.visible): cannot be hidden, because its (google.api.field_behavior) is REQUIRED',
    );
    expect(said).toContain('keys and values of a map cannot be hidden');
    expect(said).toContain('an extension cannot be hidden');
    expect(said).toContain(
      'shop.v1.Order has fields with (apix.authz.visible), which cannot be hidden in an extension',
    );
    expect(mistakes).toHaveLength(6);
  });
});

describe('a list of records with hidden fields', () => {
  it('still demands that its handler asks for the filter, and hides the fields', async () => {
    const authorizer = new Authorizer(listingPeople(), {
      subject: () => ADA,
      conditions: celConditions(),
    });
    const method = '/fields.v1.Directory/List';
    const begin = async (): Promise<BegunCall> =>
      authorizer.beginBy(authorizer.standing(method), callOf(method));
    const unasked = await begin();
    expect(() => unasked.onSend?.()).toThrow('internal error');
    const asked = await begin();
    expect(asked.filter?.where).toMatchObject({ kind: 'compare', value: 'ada' });
    asked.onSend!();
    const answer = field('People', { people: [person({ name: 'people/1', phone: 'TAINT' })] });
    expect(textOf(asked.onAnswer!(answer))).not.toContain('TAINT');
  });
});

describe('a value that holds itself', () => {
  it('is not shown where something in it is hidden, and else as it is', () => {
    const holding = (init: Readonly<Record<string, unknown>>) => {
      const value: Record<string, unknown> = { person: person(init) };
      value['self'] = [value];
      return value;
    };
    const open = holding({ name: 'people/1' });
    expect(shown(open, ADA)).toBe(open);
    expect(() => shown(holding({ phone: 'TAINT' }), ADA)).toThrow(
      'authz: an answer that holds itself has fields that are hidden, and cannot be copied',
    );
  });
});

describe('the paths of the masks in a request', () => {
  it('look at the fields of a type once, however many they are', () => {
    const hides = jest.fn((): null | undefined => undefined);
    const paths = new HiddenPaths({ hides } as unknown as Masks);
    const looksFor = (path: string): number => {
      hides.mockClear();
      paths.named(stepsOf(path), PERSON, true);
      return hides.mock.calls.length;
    };
    expect(looksFor('*')).toBeGreaterThan(10);
    expect(looksFor('*')).toBe(0);
    expect(looksFor('children.a')).toBe(1);
    expect(looksFor('friends.*')).toBe(1);
  });

  it('are looked at once each, and not after the first that is refused', () => {
    const found: string[] = [];
    const places = maskPlaces(descOf('UpdatePerson'))!;
    const paths = ['name', 'name', 'owner', 'phone', 'email'];
    const request = { updateMask: { paths } };
    const refused = findByPaths(places, request, (path) => {
      found.push(path);
      return path === 'phone' ? path : undefined;
    });
    expect([refused, found]).toEqual(['phone', ['name', 'owner', 'phone']]);
  });
});
