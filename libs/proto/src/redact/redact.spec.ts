import { inspect } from 'node:util';
import { redactMessage } from '@apix/contracts';
import { messageReplacer } from '@apix/contracts/internal';
import { type DescMessage, type Message, create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { AnySchema, anyPack, EmptySchema } from '@bufbuild/protobuf/wkt';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { secretProtos } from '../../../../tools/testing/secret-protos.js';
import { JsonCodec } from '../json/json-codec.js';
import { ProtoRegistry } from '../proto-registry.js';
import { transfer } from '../transfer/transfer.js';
import { wireCodec } from '../wire/wire-codec.js';
import { isRedacted } from './redacted-field.js';

type Shape = Record<string, unknown>;
const SECRET = 'hunter2';

let protos: ProtoRegistry;
let json: JsonCodec;
const type = (name: string): DescMessage => protos.registry.getMessage(`test.${name}`)!;
const make = (name: string, init: Shape = {}): Message => create(type(name), init);
const shown = (value: unknown): string =>
  JSON.stringify(value, (key, member: unknown) =>
    messageReplacer()!(key, typeof member === 'bigint' ? String(member) : member),
  );

beforeAll(() => {
  protos = ProtoRegistry.load(secretProtos());
  json = new JsonCodec(protos.registry);
});

describe('the value of a field with debug_redact', () => {
  it.each<[string, Shape]>([
    ['a text', { password: SECRET }],
    ['a list', { codes: [SECRET] }],
    ['a map, its keys too', { notes: { [SECRET]: 'x' } }],
    ['in a message of a field', { card: { number: SECRET } }],
    ['in a list of messages', { cards: [{ number: SECRET }] }],
    ['in a map of messages', { wallet: { a: { number: SECRET } } }],
    ['in a oneof', { proof: { case: 'pin', value: SECRET } }],
    ['a message', { vault: { text: SECRET } }],
    ['a Struct', { struct: { a: SECRET } }],
    ['by an option that is an enum value', { personal: SECRET }],
    ['by an option with such a value in it', { handled: SECRET }],
  ])('is not shown: %s', (_, init) => {
    const text = shown(make('Login', { user: 'ada', ...init }));
    expect(text).not.toContain(SECRET);
    expect(text).toContain('[REDACTED]');
    expect(text).toContain('"user":"ada"');
  });

  it.each<[string, Shape, string]>([
    ['a number', { attempts: 4711 }, '4711'],
    ['a 64-bit number', { big: 4711n }, '4711'],
    ['an enum value', { kind: 1 }, '"kind":1'],
  ])('is not shown: %s', (_, init, secret) => {
    expect(shown(make('Login', init))).not.toContain(secret);
  });

  it.each<[string, () => unknown]>([
    ['in an extension', () => fromBinary(type('Open'), Buffer.from('a20607' + hex(SECRET), 'hex'))],
    ['in the bytes of an Any', () => anyPack(type('Card'), make('Card', { number: SECRET }))],
    ['in an Any in an Any', () => anyPack(AnySchema, anyPack(type('Card'), make('Card')))],
    [
      'in an Any of a type that nobody knows',
      () => create(AnySchema, { typeUrl: 'x/test.Nothing', value: Buffer.from(SECRET) }),
    ],
    ['in the detail of a status', () => ({ typeUrl: 'x/test.Card', value: Buffer.from(SECRET) })],
    ['in an Any in a message', () => make('Login', { extra: anyPack(type('Card'), make('Card')) })],
    ['in a spread copy', () => ({ ...make('Login', { password: SECRET }), user: 'eve' })],
    ['in a copy by structuredClone', () => structuredClone(make('Login', { password: SECRET }))],
    ['in something with toJSON', () => ({ toJSON: () => make('Login', { password: SECRET }) })],
  ])('is not shown: %s', (_, value) => {
    const text = shown(value());
    expect(text).toContain('[REDACTED]');
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain('"data":');
  });

  it('is in the message, which is not changed', () => {
    const login = make('Login', { password: SECRET, proof: { case: 'pin', value: SECRET } });
    const before = structuredClone(login);
    shown(login);
    expect(login).toEqual(before);
    expect(json.encode(type('Login'), login)).toContain(SECRET);
    expect(redactMessage(login)).toMatchObject({ proof: { case: 'pin', value: '[REDACTED]' } });
  });
});

describe('all other values', () => {
  it.each<[string, () => object]>([
    ['a message without such a field', () => make('Plain', { text: 'x' })],
    ['the Any of such a message', () => anyPack(type('Plain'), make('Plain', { text: 'x' }))],
    ['a plain object', () => ({ password: SECRET, typeUrl: 'x' })],
    ['a message of a type that nobody knows', () => ({ $typeName: 'test.Nothing', password: 'x' })],
    ['a well-known type', () => create(EmptySchema)],
  ])('are shown as they are: %s', (_, value) => {
    const given = value();
    expect(redactMessage(given)).toBe(given);
  });

  it('are shown: another case of the oneof, and an option whose enum value does not hide', () => {
    const login = make('Login', { proof: { case: 'hint', value: 'a pet' }, open: 'o' });
    expect(redactMessage(login)).toMatchObject({ proof: { value: 'a pet' }, open: 'o' });
    const { fields } = type('Login');
    const open = fields.filter((field) => !isRedacted(field)).map(({ name }) => name);
    expect(open).toEqual(['user', 'card', 'hint', 'extra', 'open', 'cards', 'wallet']);
  });

  it('are shown: a hidden field that is not set', () => {
    expect(redactMessage(make('Login'))).not.toHaveProperty('vault', '[REDACTED]');
  });
});

describe('an error text', () => {
  it.each<[string, string]>([
    ['a number for a text', '{"password": 4711471}'],
    ['a text for a list', '{"codes": "4711471"}'],
    ['a text for a number', '{"attempts": "x4711471"}'],
    ['a key of a map twice', '{"notes": {"4711471": "a", "4711471": "b"}}'],
    ['a value of a map', '{"notes": {"4711471": 1}}'],
    ['a member of a message', '{"vault": {"n4711471": 1}}'],
    ['a oneof', '{"pin": 4711471}'],
    ['an enum', '{"kind": "4711471"}'],
    ['a 64-bit number', '{"big": 4711471.5}'],
    ['text with a bad escape', '{"password": "4711471\\x"}'],
    ['inside of an Any', '{"extra": {"@type": "x/test.Card", "number": 4711471}}'],
    ['inside of a message', '{"card": {"number": 4711471}}'],
  ])('of JSON does not repeat the value: %s', (_, text) => {
    const read = [
      () => json.decode(type('Login'), text),
      () => json.toWire(type('Login'), text),
      () => json.decode(type('Login'), Buffer.from(text)),
    ];
    for (const each of read) expectHidden(each);
  });

  it('of JSON of an extension does not repeat the value, and has its place', () => {
    const text = '{"[test.token]": 4711471}';
    expectHidden(() => json.decode(type('Open'), text));
    expectHidden(() => json.toWire(type('Open'), text));
    expect(() => json.decode(type('Login'), '{"card": {"number": 4711471}}')).toThrow(
      '$.card.number: not a valid value, which is not shown because of debug_redact or visible',
    );
    const [field] = type('Card').fields;
    expectHidden(() => json.decodeField(field!, '4711471'));
  });

  it.each<[string, Shape]>([
    ['a number for a text', { password: 4711471 }],
    ['a text for a number', { attempts: '4711471' }],
    ['a list', { codes: '4711471' }],
    ['an item of a list', { codes: [4711471] }],
    ['a key and value of a map', { notes: { 4711471: 4711471 } }],
    ['a oneof', { proof: { case: 'pin', value: 4711471 } }],
    ['what is no oneof', { proof: '4711471' }],
    ['a case that there is not', { proof: { case: '4711471' } }],
    ['an enum', { kind: '4711471' }],
    ['a message', { vault: '4711471' }],
    ['a Struct', { struct: '4711471' }],
    ['a 64-bit number', { big: '4711471x' }],
  ])('of a message that cannot be written does not repeat the value: %s', (_, members) => {
    const login = Object.assign(make('Login'), members);
    expectHidden(() => wireCodec(type('Login')).encode(login));
    expectHidden(() => json.encode(type('Login'), login));
    expectHidden(() => transfer(type('Login'), login));
  });

  it('of another field repeats its value', () => {
    expect(() => json.decode(type('Login'), '{"user": 4711471}')).toThrow(/got 4711471/);
    const login = Object.assign(make('Login'), { user: 4711471 });
    expect(() => wireCodec(type('Login')).encode(login)).toThrow(/got 4711471/);
  });
});

describe('toShownValue', () => {
  it('is the JSON without such values, at any depth', () => {
    const login = make('Login', {
      user: 'ada',
      password: SECRET,
      codes: [SECRET],
      notes: { [SECRET]: SECRET },
      cards: [{ number: SECRET, holder: 'Ada' }],
      wallet: { a: { number: SECRET, holder: 'Ada' } },
      proof: { case: 'pin', value: SECRET },
      extra: anyPack(type('Card'), make('Card', { number: SECRET, holder: 'Ada' })),
      big: 1n,
    });
    const hidden = '[REDACTED]';
    expect(json.toShownValue(type('Login'), login)).toEqual({
      user: 'ada',
      password: hidden,
      codes: hidden,
      notes: hidden,
      cards: [{ number: hidden, holder: 'Ada' }],
      wallet: { a: { number: hidden, holder: 'Ada' } },
      pin: hidden,
      extra: { '@type': 'type.googleapis.com/test.Card', number: hidden, holder: 'Ada' },
      big: hidden,
    });
  });

  it('hides extensions, and knows the names of the .proto file', () => {
    const open = fromBinary(type('Open'), Buffer.from('a20607' + hex(SECRET), 'hex'));
    expect(json.toShownValue(type('Open'), open)).toEqual({ '[test.token]': '[REDACTED]' });
    const byName = new JsonCodec(protos.registry, { protoNames: true });
    expect(byName.toShownValue(type('Card'), make('Card', { number: SECRET }))).toEqual({
      number: '[REDACTED]',
    });
  });
});

it('bytes of the wire are the same as without the option', () => {
  const login = make('Login', { password: SECRET, attempts: 3 });
  expect(wireCodec(type('Login')).encode(login)).toEqual(
    Buffer.from(toBinary(type('Login'), login)),
  );
});

function hex(text: string): string {
  return Buffer.from(text).toString('hex');
}

function expectHidden(run: () => unknown): void {
  let thrown: unknown;
  try {
    run();
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(Error);
  const text = inspect(thrown, { depth: 10, showHidden: true });
  expect(text).toMatch(/debug_redact|REDACTED/);
  expect(text).not.toMatch(/4711471|n4711471/);
}
