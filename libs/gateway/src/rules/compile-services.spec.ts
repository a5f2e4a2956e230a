import {
  type MessageInitShape,
  create,
  createFileRegistry,
  setExtension,
} from '@bufbuild/protobuf';
import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FileDescriptorProtoSchema,
  MethodOptionsSchema,
  file_google_protobuf_field_mask,
} from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { GatewayConfigError } from '../errors.js';
import { http } from '../gen/google/api/annotations_pb.js';
import { type HttpRule, HttpRuleSchema } from '../gen/google/api/http_pb.js';
import { compileServices } from './compile-services.js';
import type { HttpRuleInit } from './extra-rules.js';

type RuleInit = MessageInitShape<typeof HttpRuleSchema>;

/** A service whose methods `M0`, `M1`, … have these rules; null for a method without. */
function servicesWith(...rules: (RuleInit | null)[]) {
  return servicesOf([], rules);
}

/** The same, of requests that also have field masks of these names. */
function servicesOf(masks: readonly string[], rules: readonly (RuleInit | null)[]) {
  const field = (name: string, number: number, type: Type, more = {}) => ({
    name,
    jsonName: name,
    number,
    type,
    label: Label.OPTIONAL,
    ...more,
  });
  const file = create(FileDescriptorProtoSchema, {
    name: 'a.proto',
    package: 'a.v1',
    syntax: 'proto3',
    dependency: [file_google_protobuf_field_mask.proto.name],
    messageType: [
      {
        name: 'Req',
        field: [
          field('id', 1, Type.STRING),
          field('tags', 2, Type.STRING, { label: Label.REPEATED }),
          field('inner', 3, Type.MESSAGE, { typeName: '.a.v1.Req' }),
          field('labels', 4, Type.MESSAGE, {
            label: Label.REPEATED,
            typeName: '.a.v1.Req.LabelsEntry',
          }),
          ...masks.map((name, index) =>
            field(name, 5 + index, Type.MESSAGE, { typeName: '.google.protobuf.FieldMask' }),
          ),
        ],
        nestedType: [
          {
            name: 'LabelsEntry',
            field: [field('key', 1, Type.STRING), field('value', 2, Type.STRING)],
            options: { mapEntry: true },
          },
        ],
      },
    ],
    service: [
      {
        name: 'S',
        method: rules.map((rule, index) => {
          const options = create(MethodOptionsSchema);
          if (rule !== null) setExtension(options, http, create(HttpRuleSchema, rule));
          return { name: `M${index}`, inputType: '.a.v1.Req', outputType: '.a.v1.Req', options };
        }),
      },
    ],
  });
  const registry = createFileRegistry(file, () => file_google_protobuf_field_mask);
  return [...registry].filter((desc) => desc.kind === 'service');
}

interface RuleExtras {
  body?: string;
  responseBody?: string;
  additionalBindings?: HttpRule[];
}

const get = (path: string, more: RuleExtras = {}): RuleInit => ({
  ...more,
  pattern: { case: 'get', value: path },
});
const post = (path: string, more: RuleExtras = {}): RuleInit => ({
  ...more,
  pattern: { case: 'post', value: path },
});
const custom = (kind: string, path: string): RuleInit => ({
  pattern: { case: 'custom', value: { kind, path } },
});

function mistakesOf(...rules: (RuleInit | null)[]): readonly string[] {
  try {
    compileServices(servicesWith(...rules));
  } catch (error) {
    if (error instanceof GatewayConfigError) return error.mistakes;
    throw error;
  }
  return [];
}

describe('compileServices', () => {
  it.each([
    [['update_mask'], 'update_mask'],
    [['mask'], 'mask'],
    [['mask', 'update_mask'], 'update_mask'],
    [['mask', 'other_mask'], undefined],
    [[], undefined],
  ])('takes of the masks %j %s for what a PATCH changes', (masks, expected) => {
    const rule: RuleInit = { pattern: { case: 'patch', value: '/v1/{id}' }, body: 'inner' };
    const { bindings } = compileServices(servicesOf(masks, [rule]));
    expect(bindings.map(({ maskField }) => maskField?.name)).toEqual([expected]);
  });

  it('compiles each rule and its additional bindings', () => {
    const rule = get('/v1/{id}', {
      additionalBindings: [create(HttpRuleSchema, post('/v1/{inner.id}:do', { body: 'inner' }))],
    });
    const { bindings } = compileServices(servicesWith(null, rule));
    expect(
      bindings.map(({ fullName, httpMethod, template, body }) => [
        fullName,
        httpMethod,
        template.source,
        body.kind,
      ]),
    ).toEqual([
      ['/a.v1.S/M1', 'GET', '/v1/{id}', 'none'],
      ['/a.v1.S/M1', 'POST', '/v1/{inner.id}:do', 'field'],
    ]);
  });

  describe('with methods that are left out', () => {
    // As Firestore has it: `**` in the middle.
    const firestore = get('/v1/{id=projects/*/documents/**}/x');
    const served = (exclude: readonly string[], ...rules: (RuleInit | null)[]) =>
      compileServices(servicesWith(...rules), [], exclude).bindings.map(({ fullName }) => fullName);

    it.each(['a.v1.S.M0', '/a.v1.S/M0'])('serves the others without %s', (pattern) => {
      expect(served([pattern], firestore, get('/v1/{id}'))).toEqual(['/a.v1.S/M1']);
    });

    it('names the option where a rule is wrong', () => {
      expect(mistakesOf(firestore, get('/v1/{id}'))).toEqual([
        'a.v1.S.M0: GET /v1/{id=projects/*/documents/**}/x: path template ' +
          '"/v1/{id=projects/*/documents/**}/x", column 30: "**" must be the last segment; ' +
          'correct the rule, or leave the method out by exclude',
      ]);
    });

    it.each(['a.v1.S.*', 'a.v1.*', 'a.*', '/a.v1.S/*'])('leaves out all of %s', (pattern) => {
      const rules = [{ selector: 'a.v1.S.M0', get: '/a' }];
      expect(() => compileServices(servicesWith(firestore, null), rules, [pattern])).toThrow(
        'no HTTP rule found',
      );
    });

    it.each([
      ['a.v1.S.M', 'the descriptors have no method "a.v1.S.M"'],
      ['a.v1.T.*', 'the descriptors have no method "a.v1.T.*"'],
      ['b.*', 'the descriptors have no method "b.*"'],
      ['/a.v1.S/M0/', 'is not a method such as shop.v1.Orders.Cancel'],
      ['*', '"*" is not a method such as shop.v1.Orders.Cancel'],
      ['a.v1.S.M*', 'is not a method such as shop.v1.Orders.Cancel'],
      ['', '"" is not a method such as shop.v1.Orders.Cancel'],
    ])('refuses %j, which means none', (pattern, message) => {
      expect(() => served([pattern], get('/v1/{id}'))).toThrow(message);
    });
  });

  it('refuses descriptors without any HTTP rule and says so', () => {
    expect(mistakesOf(null, null)).toEqual([expect.stringContaining('no HTTP rule found')]);
    expect(mistakesOf()).toEqual([expect.stringContaining('no HTTP rule found')]);
  });

  it.each<[string, RuleInit, string]>([
    ['a rule without pattern', {}, 'a.v1.S.M0: the rule has no pattern'],
    ['an unknown path field', get('/{nope}'), 'GET /{nope}: path variable "nope": a.v1.Req has no'],
    ['an unknown nested field', get('/{inner.nope}'), 'path variable "inner.nope": a.v1.Req has'],
    ['a path into a scalar', get('/{id.x}'), 'path variable "id.x": id is not a message'],
    ['a path into a repeated field', get('/{tags.x}'), 'tags is a repeated field'],
    ['a repeated path field', get('/{tags}'), 'must not refer to a repeated or map field'],
    ['a map path field', get('/{labels}'), 'must not refer to a repeated or map field'],
    ['a message path field', get('/{inner}'), 'must refer to a primitive field, not a message'],
    ['a malformed template', get('/v1/{id'), 'path template "/v1/{id", column 5: expected "}"'],
    ['an empty template', get(''), 'it must start with "/"'],
    ['an unknown body field', post('/a', { body: 'nope' }), 'body "nope": a.v1.Req has no such'],
    ['a nested body field', post('/a', { body: 'inner.id' }), 'body "inner.id"'],
    ['a body on GET', get('/a', { body: '*' }), 'GET has no request body: remove body'],
    ['an unknown response field', get('/a', { responseBody: 'nope' }), 'response_body "nope"'],
    [
      'a custom kind that is no method',
      custom('FLY', '/a'),
      'custom kind "FLY" is not an HTTP method',
    ],
    [
      'additional bindings inside additional bindings',
      get('/a', {
        additionalBindings: [
          create(
            HttpRuleSchema,
            get('/b', { additionalBindings: [create(HttpRuleSchema, get('/c'))] }),
          ),
        ],
      }),
      'must not have additional_bindings itself',
    ],
  ])('refuses %s', (_what, rule, message) => {
    expect(mistakesOf(rule).join('\n')).toContain(message);
  });

  it('takes a body of a DELETE', () => {
    const rule = { body: '*', pattern: { case: 'delete', value: '/v1/{id}' } } as const;
    const { bindings } = compileServices(servicesWith(rule));
    expect(bindings.map(({ httpMethod, body }) => [httpMethod, body.kind])).toEqual([
      ['DELETE', 'whole'],
    ]);
  });

  it('refuses two bindings of one shape and names both', () => {
    expect(mistakesOf(get('/v1/{id}/x'), get('/v1/{inner.id=*}/x'))).toEqual([
      'a.v1.S/M1 (GET /v1/{inner.id=*}/x) and a.v1.S/M0 (GET /v1/{id}/x) match the same ' +
        'requests: change one of them',
    ]);
  });

  it('lists every mistake at once', () => {
    const mistakes = mistakesOf(get('/{nope}/{tags}'), post('/a', { body: 'nope' }), {});
    expect(mistakes).toHaveLength(4);
    expect(mistakes.map((mistake) => mistake.slice(0, 9))).toEqual([
      'a.v1.S.M0',
      'a.v1.S.M0',
      'a.v1.S.M1',
      'a.v1.S.M2',
    ]);
  });

  describe('with rules by selector', () => {
    const served = (rules: readonly HttpRuleInit[], ...own: (RuleInit | null)[]) =>
      compileServices(servicesWith(...own), rules).bindings.map(
        ({ fullName, httpMethod, template }) => `${fullName} ${httpMethod} ${template.source}`,
      );

    it('serves methods that have no rule of their own, and others by theirs no more', () => {
      const rules = [
        { selector: 'a.v1.S.M0', post: '/v2/{id}', additionalBindings: [{ get: '/v2/x/{id}' }] },
        { selector: 'a.v1.S.M1', get: '/v2/one' },
      ];
      expect(served(rules, get('/v1/{id}'), null, get('/v1'))).toEqual([
        '/a.v1.S/M0 POST /v2/{id}',
        '/a.v1.S/M0 GET /v2/x/{id}',
        '/a.v1.S/M1 GET /v2/one',
        '/a.v1.S/M2 GET /v1',
      ]);
    });

    it('takes the last of several for one method (google/api/http.proto, message Http)', () => {
      const rules = ['/a', '/b'].map((path) => ({ selector: 'a.v1.S.M0', get: path }));
      expect(served(rules, null)).toEqual(['/a.v1.S/M0 GET /b']);
    });

    it.each<[string, object, string]>([
      [
        'of methods that are not there',
        { selector: 'a.v1.S.No' },
        'rules: the descriptors have no method "a.v1.S.No"',
      ],
      [
        'with members that no rule has',
        { selector: 'a.v1.S.M0', pots: '/' },
        'rules[0].pots: is not known here; did you mean post?',
      ],
      [
        'whose bindings have members that none has',
        { selector: 'a.v1.S.M0', get: '/', additional_bindings: [{ get: '/a', responsBody: 'x' }] },
        'rules[0].additionalBindings[0].responsBody: is not known here; did you mean responseBody?',
      ],
      ['with a mistake', { selector: 'a.v1.S.M0', get: '/{nope}' }, 'a.v1.S.M0: GET /{nope}'],
    ])('refuses rules %s', (_what, rule, message) => {
      const compile = () => compileServices(servicesWith(get('/v1')), [rule as HttpRuleInit]);
      expect(compile).toThrow(GatewayConfigError);
      expect(compile).toThrow(message);
    });
  });
});
