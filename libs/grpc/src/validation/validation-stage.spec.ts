import { problemOf } from '@apix/calls';
import { type BoundCallStage, Code, type StagedCall, StatusError } from '@apix/contracts';
import { ProtoRegistry } from '@apix/proto/core';
import { type MessageInitShape, create, setExtension, toBinary } from '@bufbuild/protobuf';
import {
  DurationSchema,
  EmptySchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FieldOptionsSchema,
  FileDescriptorSetSchema,
  type FileDescriptorProtoSchema,
  MessageOptionsSchema,
  anyPack,
  file_google_protobuf_any,
  file_google_protobuf_empty,
  file_google_protobuf_struct,
  file_google_protobuf_wrappers,
} from '@bufbuild/protobuf/wkt';
import {
  FieldRulesSchema,
  MessageRulesSchema,
  field as fieldRules,
  file_buf_validate_validate,
  message as messageRules,
} from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js';
import { describe, expect, it } from '@jest/globals';
import { SHOP } from '../../../grpc-client/src/client.fixture.js';
import { validationStage } from './validation-stage.js';

const shop = ProtoRegistry.load(SHOP);

/** What the stage makes of a message: the error that it throws, or undefined. */
function validate(
  protos: ProtoRegistry,
  fullName: string,
  init: Readonly<Record<string, unknown>>,
  options?: Parameters<typeof validationStage>[1],
): unknown {
  const method = protos.method(fullName)!;
  const bound = bind(protos, fullName, options)!;
  try {
    void bound.onMessage!({} as StagedCall, create(method.input, init));
    return undefined;
  } catch (error) {
    return error;
  }
}

function bind(
  protos: ProtoRegistry,
  fullName: string,
  options?: Parameters<typeof validationStage>[1],
): BoundCallStage | null {
  return validationStage(protos, options).bind({
    fullName,
    service: '',
    name: '',
    kind: 'unary',
  });
}

interface Field {
  readonly name: string;
  readonly type?: Type;
  readonly typeName?: string;
  readonly repeated?: boolean;
  readonly secret?: boolean;
  readonly rules?: MessageInitShape<typeof FieldRulesSchema>;
}

/** The descriptors of one method, whose request has these fields and rules. */
function protosWith(
  fields: readonly Field[],
  rules?: MessageInitShape<typeof MessageRulesSchema>,
): ProtoRegistry {
  const file: MessageInitShape<typeof FileDescriptorProtoSchema> = {
    name: 'test.proto',
    package: 'test',
    syntax: 'proto3',
    dependency: ['buf/validate/validate.proto', ...WELL_KNOWN.map(({ proto }) => proto.name)],
    messageType: [
      {
        name: 'Request',
        field: fields.map(
          ({ name, type = Type.STRING, typeName, repeated, rules, secret }, index) => ({
            name,
            number: index + 1,
            type,
            label: repeated === true ? Label.REPEATED : Label.OPTIONAL,
            ...(typeName !== undefined && { typeName }),
            ...((rules ?? secret) !== undefined && { options: fieldOptions(rules, secret) }),
          }),
        ),
        nestedType: [
          {
            name: 'AEntry',
            field: [
              { name: 'key', number: 1, type: Type.STRING, label: Label.OPTIONAL },
              {
                name: 'value',
                number: 2,
                type: Type.MESSAGE,
                typeName: '.google.protobuf.Any',
                label: Label.OPTIONAL,
              },
            ],
            options: { mapEntry: true },
          },
        ],
        ...(rules !== undefined && { options: messageOptions(rules) }),
      },
    ],
    service: [
      {
        name: 'Test',
        method: [{ name: 'Try', inputType: '.test.Request', outputType: '.test.Request' }],
      },
    ],
  };
  const set = create(FileDescriptorSetSchema, { file: [file] });
  return ProtoRegistry.load([
    file_buf_validate_validate,
    ...WELL_KNOWN,
    toBinary(FileDescriptorSetSchema, set),
  ]);
}

/** Those that validate.proto does not import. */
const WELL_KNOWN = [
  file_google_protobuf_any,
  file_google_protobuf_empty,
  file_google_protobuf_struct,
  file_google_protobuf_wrappers,
];

function fieldOptions(rules: MessageInitShape<typeof FieldRulesSchema> = {}, secret = false) {
  const options = create(FieldOptionsSchema, { debugRedact: secret });
  setExtension(options, fieldRules, create(FieldRulesSchema, rules));
  return options;
}

function messageOptions(rules: MessageInitShape<typeof MessageRulesSchema>) {
  const options = create(MessageOptionsSchema);
  setExtension(options, messageRules, create(MessageRulesSchema, rules));
  return options;
}

const TRY = '/test.Test/Try';

describe('a message', () => {
  it('that keeps its rules passes', () => {
    const error = validate(shop, '/shop.v1.Orders/Cancel', {
      name: 'orders/1',
      reason: 'sold out',
    });
    expect(error).toBeUndefined();
  });

  it('that breaks rules becomes a 400 that names every field', () => {
    const reason = 'x'.repeat(201);
    const error = validate(shop, '/shop.v1.Orders/Cancel', { name: '../1', reason });
    expect(error).toBeInstanceOf(StatusError);
    expect(problemOf(error as StatusError)).toEqual({
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      code: 'INVALID_ARGUMENT',
      detail:
        'invalid request: name: does not match regex pattern `^orders/[a-z0-9-]+$` (and 1 more)',
      errors: [
        {
          field: 'name',
          detail: 'does not match regex pattern `^orders/[a-z0-9-]+$`',
          reason: 'string.pattern',
        },
        { field: 'reason', detail: 'must be at most 200 characters', reason: 'string.max_len' },
      ],
    });
  });

  it('is told the path of a field inside another, and of an element', () => {
    const rules = { type: { case: 'repeated' as const, value: itemRules() } };
    const protos = protosWith([{ name: 'names', repeated: true, rules }]);
    const error = validate(protos, TRY, { names: ['abc', ''] });
    expect(problemOf(error as StatusError).errors).toMatchObject([{ field: 'names[1]' }]);
  });

  it('is told no more than 20 mistakes and 200 characters of each', () => {
    const message = 'm'.repeat(300);
    const names = { cel: [{ id: 'c', expression: 'this == "a"', message }] };
    const rules = {
      type: { case: 'repeated' as const, value: { items: names } },
    };
    const protos = protosWith([{ name: 'names', repeated: true, rules }]);
    const error = validate(protos, TRY, { names: Array.from({ length: 50 }, String) });
    const { errors = [], detail } = problemOf(error as StatusError);
    expect(errors).toHaveLength(20);
    expect(detail).toMatch(/\(and 49 more\)$/);
    expect(errors[0]?.detail).toBe(`${'m'.repeat(199)}…`);
  });

  it('is told its first mistake alone with failFast', () => {
    const init = { name: '../1', reason: 'x'.repeat(201) };
    const error = validate(shop, '/shop.v1.Orders/Cancel', init, { failFast: true });
    expect(problemOf(error as StatusError).errors).toHaveLength(1);
  });

  it('may come as a plain object', () => {
    const bound = bind(shop, '/shop.v1.Orders/Cancel')!;
    expect(() => bound.onMessage!({} as StagedCall, { name: 'x' })).toThrow(
      'invalid request: name: ',
    );
    expect(() => bound.onMessage!({} as StagedCall, { name: 'orders/1' })).not.toThrow();
  });
});

function itemRules() {
  return { items: { type: { case: 'string' as const, value: { minLen: 1n } } } };
}

it('a method that is not known, or whose requests have no rules, costs nothing', () => {
  expect(bind(shop, '/no.Such/Method')).toBeNull();
  expect(bind(protosWith([{ name: 'a' }]), TRY)).toBeNull();
});

describe('a rule that compares a field with itself lets an app start', () => {
  const rules = cel('this == this');
  const ofType = (name: string): Field => ({
    name: 'a',
    type: Type.MESSAGE,
    typeName: `.google.protobuf.${name}`,
    rules,
  });

  it.each([
    'Any',
    'BoolValue',
    'BytesValue',
    'DoubleValue',
    'Duration',
    'Empty',
    'FieldMask',
    'FloatValue',
    'Int32Value',
    'Int64Value',
    'ListValue',
    'StringValue',
    'Struct',
    'Timestamp',
    'UInt32Value',
    'UInt64Value',
    'Value',
  ])('if it is a %s, alone and repeated', (name) => {
    expect(bind(protosWith([ofType(name)]), TRY)).not.toBeNull();
    const each = { type: { case: 'repeated' as const, value: { items: rules } } };
    const many = protosWith([{ ...ofType(name), repeated: true, rules: each }]);
    expect(bind(many, TRY)).not.toBeNull();
  });

  it.each(Object.entries(Type).filter(([name]) => !/^\d|GROUP|MESSAGE|ENUM/.test(name)))(
    'if it is a scalar of type %s',
    (_, type) => {
      expect(bind(protosWith([{ name: 'a', type: type as Type, rules }]), TRY)).not.toBeNull();
    },
  );
});

describe('a rule on a google.protobuf.Any', () => {
  const ANY = { name: 'a', type: Type.MESSAGE, typeName: '.google.protobuf.Any' };
  const packed = anyPack(DurationSchema, create(DurationSchema, { seconds: 3n }));
  const unknown = { typeUrl: 'type.googleapis.com/no.Such', value: new Uint8Array([1]) };
  const broken = { typeUrl: packed.typeUrl, value: new Uint8Array([0xff]) };
  const one = protosWith([
    { ...ANY, rules: cel('type(this) == google.protobuf.Duration') },
    { name: 'b', type: Type.INT32, rules: cel('this != 13 || 1 / 0 > 0') },
  ]);

  it.each<[string, Readonly<Record<string, unknown>> | undefined]>([
    ['not set', undefined],
    ['of a known type', packed],
  ])('is evaluated on one that is %s', (_, a) => {
    expect(validate(one, TRY, { a })).toBeUndefined();
  });

  it.each([
    ['empty', {}],
    ['of a type that is not known', unknown],
    ['not what its type says', broken],
  ])('makes a 400 of one that is %s', (_, a) => {
    const error = validate(one, TRY, { a });
    const detail = 'holds a value that the rules cannot be evaluated on';
    expect(problemOf(error as StatusError)).toMatchObject({
      status: 400,
      detail: `invalid request: a: ${detail}`,
      errors: [{ field: 'a', detail }],
    });
    expect((error as StatusError).cause).toBeInstanceOf(Error);
  });

  it('stays an internal error if the rule fails without it too', () => {
    expect(validate(one, TRY, { a: packed, b: 13 })).toMatchObject({ code: Code.INTERNAL });
    expect(validate(one, TRY, { a: {}, b: 13 })).toMatchObject({ code: Code.INTERNAL });
  });

  it('names the elements of a list that cannot be read, and not the others', () => {
    const items = cel('this == this');
    const rules = { type: { case: 'repeated' as const, value: { items } } };
    const error = validate(protosWith([{ ...ANY, repeated: true, rules }]), TRY, {
      a: [packed, {}, unknown],
    });
    const { errors = [] } = problemOf(error as StatusError);
    expect(errors.map(({ field }) => field)).toEqual(['a[1]', 'a[2]']);
  });

  it('names the entries of a map', () => {
    const values = cel('this == this');
    const protos = protosWith([
      {
        ...ANY,
        typeName: '.test.Request.AEntry',
        repeated: true,
        rules: { type: { case: 'map', value: { values } } },
      },
    ]);
    const error = validate(protos, TRY, { a: { x: packed, y: {}, z: unknown } });
    const { errors = [] } = problemOf(error as StatusError);
    expect(errors.map(({ field }) => field)).toEqual(['a["y"]', 'a["z"]']);
  });

  it('names every one if they can be read, and a rule fails on what is in them', () => {
    const value = { ...ANY, name: 'value', rules: cel('this.seconds > 0') };
    const of = anyPack(EmptySchema, create(EmptySchema));
    const error = validate(protosWith([value]), TRY, { value: of });
    expect(error).toMatchObject({
      code: Code.INVALID_ARGUMENT,
      message: 'invalid request: value: holds a value that the rules cannot be evaluated on',
    });
  });
});

it('a time outside the range of its type, on which a rule fails, is a 400', () => {
  const protos = protosWith([
    {
      name: 'a',
      type: Type.MESSAGE,
      typeName: '.google.protobuf.Timestamp',
      rules: cel('this.getFullYear() > 1900'),
    },
  ]);
  expect(validate(protos, TRY, { a: { seconds: 1n } })).toBeUndefined();
  expect(validate(protos, TRY, { a: { seconds: 1n << 60n } })).toMatchObject({
    code: Code.INVALID_ARGUMENT,
    message: 'invalid request: a: holds a value that the rules cannot be evaluated on',
  });
});

function cel(expression: string) {
  return { cel: [{ id: 'test', expression, message: 'no' }] };
}

describe('the stage refuses', () => {
  it.each<[string, ProtoRegistry, RegExp]>([
    [
      'a rule that is no CEL',
      protosWith([{ name: 'a' }], cel('this.a ==')),
      /^grpc: validation: rules of test\.Request: .*test/s,
    ],
    [
      'a rule for another type than its field has',
      protosWith([
        {
          name: 'a',
          type: Type.INT32,
          rules: { type: { case: 'string', value: { minLen: 1n } } },
        },
      ]),
      /^grpc: validation: rules of test\.Request: .*string/s,
    ],
    [
      'a rule that names no field',
      protosWith([{ name: 'a' }], cel('this.b == ""')),
      /^grpc: validation: rules of test\.Request: /,
    ],
    [
      'a rule that fails on the empty message',
      protosWith([{ name: 'a', type: Type.INT32 }], cel('1 / this.a > 0')),
      /^grpc: validation: rules of test\.Request: .*divide by zero/s,
    ],
    [
      'a rule that fails on an element of a list',
      protosWith([
        {
          name: 'a',
          type: Type.INT32,
          repeated: true,
          rules: { type: { case: 'repeated', value: { items: cel('1 / this > 0') } } },
        },
      ]),
      /^grpc: validation: rules of test\.Request: .*divide by zero/s,
    ],
  ])('%s', (_, protos, message) => {
    expect(() => validationStage(protos)).toThrow(message);
  });
});

describe('a violation of a message with a field that has debug_redact', () => {
  const dynamic = `this == "ok" ? "" : "bad: " + this`;
  const ofMessage = `this.a == "ok" ? "" : "bad: " + this.a`;
  const rule = (expression: string, message = '') => ({
    cel: [{ id: 'own', expression, message }],
  });
  const secret = (rules: MessageInitShape<typeof FieldRulesSchema>, repeated = false): Field => ({
    name: 'a',
    secret: true,
    repeated,
    rules,
  });
  const list = (items: MessageInitShape<typeof FieldRulesSchema>) =>
    ({ type: { case: 'repeated', value: { items } } }) as const;

  it.each<[string, ProtoRegistry, unknown, string]>([
    [
      'a text that its rule returns',
      protosWith([secret(rule(dynamic))]),
      'hunter2',
      'breaks the rule own',
    ],
    [
      'such a text of an item',
      protosWith([secret(list(rule(dynamic)), true)]),
      ['hunter2'],
      'breaks the rule own',
    ],
    [
      'such a text of a rule of the message',
      protosWith([{ name: 'a', secret: true }], rule(ofMessage)),
      'hunter2',
      'breaks the rule own',
    ],
    [
      'the text that is in the rule',
      protosWith([secret(rule(dynamic, 'not ok'))]),
      'hunter2',
      'not ok',
    ],
    [
      'the text that is in the rule of an item',
      protosWith([secret(list(rule(dynamic, 'not ok')), true)]),
      ['hunter2'],
      'not ok',
    ],
    [
      'the text that is in a rule of the message',
      protosWith([{ name: 'a', secret: true }], rule(ofMessage, 'not ok')),
      'hunter2',
      'not ok',
    ],
    [
      'the expression of a rule without a text',
      protosWith([secret(rule('this == "ok"'))]),
      'hunter2',
      '"this == "ok"" returned false',
    ],
    [
      'the text of a standard rule',
      protosWith([secret({ type: { case: 'string', value: { minLen: 8n } } })]),
      'hunter2',
      'must be at least 8 characters',
    ],
    [
      'a text that its rule returns, of another field',
      protosWith([
        { name: 'a', rules: rule(dynamic) },
        { name: 'b', secret: true },
      ]),
      'hunter2',
      'bad: hunter2',
    ],
  ])('%s', (_, protos, a, text) => {
    const error = validate(protos, TRY, { a });
    expect(problemOf(error as StatusError).errors).toMatchObject([{ detail: text }]);
  });

  it('does not say what a rule failed with, which may repeat a value', () => {
    const expression = 'int(this.a) == 0';
    const isEmpty = `this.a == "" || `;
    const protos = protosWith([{ name: 'a', secret: true }], rule(isEmpty + expression));
    const error = validate(protos, TRY, { a: 'hunter2' }) as StatusError;
    expect((error.cause as Error).message).toBe(
      'grpc: a rule of test.Request failed with an error, which is not shown because of debug_redact or visible',
    );
  });

  it('ends its path at the field, whose keys are values', () => {
    const protos = ProtoRegistry.load([file_buf_validate_validate, secretMap()]);
    const error = validate(protos, '/test.Maps/Try', { a: { hunter2: '' } }) as StatusError;
    expect(problemOf(error).errors).toMatchObject([{ field: 'a', detail: expect.any(String) }]);
    expect(JSON.stringify(problemOf(error))).not.toContain('hunter2');
  });

  function secretMap(): Uint8Array {
    const values = { type: { case: 'string', value: { minLen: 1n } } } as const;
    const rules = { type: { case: 'map', value: { values } } } as const;
    const text = { type: Type.STRING, label: Label.OPTIONAL };
    const file: MessageInitShape<typeof FileDescriptorProtoSchema> = {
      name: 'maps.proto',
      package: 'test',
      syntax: 'proto3',
      dependency: ['buf/validate/validate.proto'],
      messageType: [
        {
          name: 'Secrets',
          field: [
            {
              name: 'a',
              number: 1,
              type: Type.MESSAGE,
              typeName: '.test.Secrets.AEntry',
              label: Label.REPEATED,
              options: fieldOptions(rules, true),
            },
          ],
          nestedType: [
            {
              name: 'AEntry',
              field: [
                { name: 'key', number: 1, ...text },
                { name: 'value', number: 2, ...text },
              ],
              options: create(MessageOptionsSchema, { mapEntry: true }),
            },
          ],
        },
      ],
      service: [
        {
          name: 'Maps',
          method: [{ name: 'Try', inputType: '.test.Secrets', outputType: '.test.Secrets' }],
        },
      ],
    };
    return toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: [file] }));
  }
});
