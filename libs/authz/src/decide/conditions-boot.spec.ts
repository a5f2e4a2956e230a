import { describe, expect, it } from '@jest/globals';
import { celConditions } from '../conditions/cel-conditions.js';
import { PolicyError } from '../errors.js';
import { RECORDS, type RecordPolicy, recordsWith, type ServicePolicy } from '../records.fixture.js';
import type { AuthorizerOptions } from './authorizer-options.js';
import { Authorizer } from './authorizer.js';

const loaders = { 'records.v1.Record': () => null };
const conditions = celConditions();

function mistakesOf(
  policies: Readonly<Record<string, RecordPolicy>>,
  service?: ServicePolicy,
  options: Partial<AuthorizerOptions> = {},
): readonly string[] {
  try {
    const registry = recordsWith(policies, service);
    void new Authorizer(registry, { subject: () => null, conditions, loaders, ...options });
    return [];
  } catch (error) {
    if (error instanceof PolicyError) return error.mistakes;
    throw error;
  }
}

/** The mistakes in one condition of the method Spend. */
const inCondition = (expression: string, id = 'it'): readonly string[] =>
  mistakesOf({ Spend: { requires: { conditions: [{ id, expression }] } } });

describe('an authorizer with conditions', () => {
  it('starts with those of the test set', () => {
    expect(mistakesOf({})).toEqual([]);
  });

  it('does not start without what evaluates them, and says so for each method with file, line and column', () => {
    const found = mistakesOf({}, {}, { conditions: undefined as never });
    expect(found).toHaveLength(5);
    expect(found.at(-1)).toBe(
      'records/v1/records.proto:65:12: rpc records.v1.Records.Spend, option (apix.authz.requires): has ' +
        'conditions, which are not enabled; set the option conditions to celConditions() of @apix/authz/conditions',
    );
    expect(found[0]).toMatch(
      /^records\/v1\/records\.proto:\d+:10: service records\.v1\.Records, option \(apix\.authz\.default_requires\), method Get: has/,
    );
  });

  it.each<[string, string, RegExp]>([
    [
      'a field that does not exist',
      'request.nmae == "a"',
      /nmae.*\(line 1, column \d+ of the expression\)$/,
    ],
    ['a wrong type', 'request.name == 7', /line 1, column/],
    ['a name that is not known', 'account.name == ""', /account/],
    ['a part of the subject that does not exist', 'subject.nmae == ""', /subject/],
    ['a resource that the method does not declare', 'resource.owner == ""', /resource/],
    ['a result that is not bool', 'request.name', /must be of type bool, not string/],
    ['text that is not CEL', 'request.name ==', /line 1, column/],
    ['nothing', '', /line 1, column 1/],
    [
      'what may cost too much',
      'request.labels.exists(a, request.labels.exists(b, a == b && request.labels.exists(c, c == a)))',
      /may cost \d+ steps, more than maxCost, 10000/,
    ],
  ])('does not start with %s', (_, expression, text) => {
    const found = inCondition(expression);
    expect(found).not.toEqual([]);
    expect(found[0]).toMatch(text);
    expect(found[0]).toMatch(/Records\.Spend, option \(apix\.authz\.requires\), condition "it": /);
  });

  it.each(['', ' ', '7a', 'a b', 'a\nb', 'ä'])('does not start with the id %j', (id) => {
    expect(inCondition('true', id)).toEqual([
      expect.stringMatching(/is not an id of a condition; use letters/),
    ]);
  });

  it.each<[string, RecordPolicy, ServicePolicy | undefined, RegExp]>([
    [
      'one id twice',
      {
        requires: {
          conditions: [
            { id: 'a', expression: 'true' },
            { id: 'a', expression: 'true' },
          ],
        },
      },
      undefined,
      /two conditions have the id "a"/,
    ],
    [
      'conditions on a public method',
      { requires: { public: true, conditions: [{ id: 'a', expression: 'true' }] } },
      undefined,
      /public cannot be combined with conditions/,
    ],
    [
      'hide_existence without conditions',
      { requires: { hideExistence: true } },
      undefined,
      /needs conditions/,
    ],
    [
      'a resource type that does not exist',
      { resource: { type: 'a.B', name: 'name' } },
      undefined,
      /no message "a\.B"/,
    ],
    [
      'a resource name that is no field',
      { resource: { type: 'records.v1.Record', name: 'nam' } },
      undefined,
      /no field "nam"/,
    ],
    [
      'a resource name that is no string',
      { resource: { type: 'records.v1.Record', name: 'target' } },
      undefined,
      /is not a string/,
    ],
    [
      'a resource name in a map',
      { resource: { type: 'records.v1.Record', name: 'labels.a' } },
      undefined,
      /no field "labels\.a"/,
    ],
    [
      'a definition without a name',
      {},
      { definitions: [{ name: '', expression: 'true' }] },
      /is not a name/,
    ],
    [
      'a definition of a name that is taken',
      {},
      { definitions: [{ name: 'request', expression: 'true' }] },
      /already means/,
    ],
    [
      'a definition twice',
      {},
      {
        definitions: [
          { name: 'owns', expression: 'true' },
          { name: 'owns', expression: 'true' },
        ],
      },
      /two definitions have the name "owns"/,
    ],
    [
      'a definition that is wrong',
      {},
      { definitions: [{ name: 'owns', expression: 'resource.ownr == ""' }] },
      /of the definition "owns"/,
    ],
  ])('does not start with %s', (_, policy, service, text) => {
    const found = mistakesOf({ Spend: policy }, service);
    expect(found.some((mistake) => text.test(mistake))).toBe(true);
  });

  it('does not start without a loader for a record that is read, or with one for none', () => {
    expect(mistakesOf({}, {}, { loaders: {} })).toHaveLength(4);
    expect(mistakesOf({}, {}, { loaders: {} })[0]).toMatch(
      /nothing loads records\.v1\.Record; add a loader .* @ResourceLoader\('records\.v1\.Record'\)/,
    );
    expect(mistakesOf({}, {}, { loaders: { ...loaders, 'a.B': () => null } })).toEqual([
      'loaders: the descriptors have no message "a.B"',
    ]);
    expect(mistakesOf({}, {}, { loaders: { 'records.v1.Record': 7 as never } })[0]).toMatch(
      /loaders/,
    );
  });

  it('lists the mistakes of all methods at once', () => {
    const wrong: RecordPolicy = {
      requires: {
        conditions: [
          { id: 'a', expression: 'x' },
          { id: 'b', expression: 'y' },
        ],
      },
    };
    expect(mistakesOf({ Spend: wrong, Ping: wrong })).toHaveLength(4);
  });

  it('knows the conditions of a policy', () => {
    const authorizer = new Authorizer(RECORDS, { subject: () => null, conditions, loaders });
    expect(authorizer.policyOf('/records.v1.Records/Spend')).toMatchObject({
      conditions: [{ id: 'small', expression: 'request.amount <= 100', message: 'at most 100' }],
    });
  });
});
