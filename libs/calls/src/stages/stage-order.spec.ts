import { type BoundCallStage, CALL_STAGE, type CallStage } from '@apix/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cpuTimeOf } from '../../../../tools/testing/cpu-time.js';
import { bindStages } from './bound-chain.js';
import { orderStages, stageOrder } from './stage-order.js';

const METHOD = { fullName: '/p.S/M', service: 'p.S', name: 'M', kind: 'unary' } as const;

function stage(
  name: string,
  places: Pick<CallStage, 'after' | 'before'> = {},
  hooks: BoundCallStage = {},
): CallStage {
  return { [CALL_STAGE]: true, name, ...places, bind: () => hooks };
}

const namesOf = (stages: readonly CallStage[]): string[] => stages.map(({ name }) => name);

describe('orderStages', () => {
  it.each<[string, readonly CallStage[], readonly string[]]>([
    [
      'puts trace before log before authz, whatever the order they come in',
      [stage('authz'), stage('log'), stage('trace')],
      ['trace', 'log', 'authz'],
    ],
    [
      'puts a stage that says nothing after authz',
      [stage('tenancy'), stage('authz'), stage('log')],
      ['log', 'authz', 'tenancy'],
    ],
    [
      'puts a stage after log and authz that only says it comes after trace',
      [stage('tenancy', { after: ['trace'] }), stage('authz'), stage('log'), stage('trace')],
      ['trace', 'log', 'authz', 'tenancy'],
    ],
    [
      'puts a stage between log and authz that says it comes before authz',
      [stage('flood', { before: ['authz'] }), stage('authz'), stage('log')],
      ['log', 'flood', 'authz'],
    ],
    [
      'puts a stage first that says it comes before trace',
      [stage('authz'), stage('trace'), stage('count', { before: ['trace'] })],
      ['count', 'trace', 'authz'],
    ],
    [
      'follows before through other stages',
      [stage('b', { before: ['authz'] }), stage('a', { before: ['b'] }), stage('authz')],
      ['a', 'b', 'authz'],
    ],
    [
      'keeps the given order where nothing is said',
      [stage('x'), stage('validation', { after: ['authz'] }), stage('y')],
      ['x', 'validation', 'y'],
    ],
    [
      'ignores the name of a stage that is not there',
      [stage('a', { after: ['b', 'gone'] }), stage('b', { before: ['lost'] })],
      ['b', 'a'],
    ],
    [
      'keeps the order that a stage which is not there would give',
      [stage('b', { after: ['gone'] }), stage('a', { before: ['gone'] })],
      ['a', 'b'],
    ],
  ])('%s', (_, stages, order) => {
    expect(namesOf(orderStages(stages))).toEqual(order);
  });

  it.each<[string, readonly CallStage[], string]>([
    [
      'two stages that each come before the other',
      [stage('a', { before: ['b'] }), stage('b', { before: ['a'] })],
      'calls: the stages cannot be put in order: "a" before "b", "b" before "a"; remove one of these from after or before',
    ],
    [
      'a stage that comes before log and after authz',
      [stage('a', { before: ['log'], after: ['authz'] })],
      'calls: the stages cannot be put in order: "authz" before "a", "a" before "log", "log" before "authz"; remove one of these from after or before',
    ],
    [
      'a stage that comes after itself',
      [stage('a', { after: ['a'] })],
      'calls: the stage "a" cannot come before or after itself',
    ],
    [
      'two stages of one name',
      [stage('a'), stage('a')],
      'calls: two call stages are named "a"; give one of them another name',
    ],
    [
      'a stage without a name',
      [stage('')],
      'calls: name: a call stage must have a name that is a non-empty string',
    ],
    [
      'a text in place of a list of names',
      [stage('a', { after: 'log' as never })],
      'calls: stage "a": after must be an array of names',
    ],
    ['a stage without bind', [{ name: 'a' } as never], 'calls: stage "a": bind must be a function'],
  ])('refuses %s', (_, stages, message) => {
    expect(() => orderStages(stages)).toThrow(
      expect.objectContaining({ name: 'StageOrderError', message }),
    );
  });

  it('obeys every after and before of stages that have an order', () => {
    const places = fc.record({
      after: fc.uniqueArray(fc.nat(4), { maxLength: 2 }),
      before: fc.uniqueArray(fc.nat(4), { maxLength: 2 }),
    });
    fc.assert(
      fc.property(fc.array(places, { minLength: 5, maxLength: 5 }), (given) => {
        const names = ['trace', 'log', 'authz', 'p', 'q'];
        // Only edges along the list, so that there is an order.
        const stages = given.map(({ after, before }, i) =>
          stage(names[i]!, {
            after: after.filter((at) => at < i).map((at) => names[at]!),
            before: before.filter((at) => at > i).map((at) => names[at]!),
          }),
        );
        const order = namesOf(orderStages(stages.toReversed()));
        for (const { name, after = [], before = [] } of stages) {
          for (const first of after) expect(order.indexOf(first)).toBeLessThan(order.indexOf(name));
          for (const last of before) expect(order.indexOf(name)).toBeLessThan(order.indexOf(last));
        }
        expect(order.indexOf('authz')).toBeLessThan(order.indexOf('q'));
      }),
    );
  });
});

describe('an order of many stages', () => {
  const many = Array.from({ length: 2_000 }, (_, index) => index);

  it.each<[string, readonly CallStage[]]>([
    ['that say nothing', many.map((index) => stage(`s${index}`))],
    [
      'of which each comes before the one given before it',
      many.map((index) => stage(`s${index}`, index === 0 ? {} : { before: [`s${index - 1}`] })),
    ],
  ])('%s, takes less than a second', (_, stages) => {
    expect(new Set(namesOf(orderStages(stages))).size).toBe(2_000);
    expect(cpuTimeOf(() => orderStages(stages))).toBeLessThan(1_000);
  });

  it('takes each time the first stage that none of the others comes before', () => {
    const names = ['trace', 'log', 'authz', 'a', 'b', 'c', 'd'];
    // The last two have no stage.
    const known = names.slice(0, 5);
    const places = fc.record({
      name: fc.constantFrom(...known),
      after: fc.subarray(names, { maxLength: 2 }),
      before: fc.subarray(names, { maxLength: 2 }),
    });
    const all = fc.uniqueArray(places, { selector: ({ name }) => name, minLength: 3 });
    let compared = 0;
    fc.assert(
      fc.property(all, (given) => {
        const expected = orderByPairs(given);
        fc.pre(expected !== null);
        compared += 1;
        const { stages, beforeAuthz } = stageOrder(
          given.map(({ name, after, before }) => stage(name, { after, before })),
        );
        expect(namesOf(stages)).toEqual(expected.names);
        expect(namesOf([...beforeAuthz])).toEqual(expected.beforeAuthz);
      }),
      { numRuns: 200 },
    );
    expect(compared).toBe(200);
  });
});

interface Place {
  readonly name: string;
  readonly after: readonly string[];
  readonly before: readonly string[];
}

/** The order as its rule reads, found by asking for each pair; null where there is none. */
function orderByPairs(
  given: readonly Place[],
): { readonly names: readonly string[]; readonly beforeAuthz: readonly string[] } | null {
  const outermost = ['trace', 'log', 'authz'];
  const edges = [
    ['trace', 'log'],
    ['log', 'authz'],
    ...given.flatMap(({ name, after, before }) => [
      ...after.map((first) => [first, name]),
      ...before.map((second) => [name, second]),
    ]),
  ];
  const reach = (from: string): Set<string> => {
    const seen = new Set([from]);
    for (const node of seen) for (const [a, b] of edges) if (a === node) seen.add(b!);
    return seen;
  };
  for (const { name } of given) {
    for (const outer of outermost) if (!reach(name).has(outer)) edges.push([outer, name]);
  }
  const isCyclic = edges.some(([first, second]) => reach(second!).has(first!));
  if (isCyclic) return null;
  const isBefore = (first: string, second: string): boolean =>
    first !== second && reach(first).has(second);
  const left = given.map(({ name }) => name);
  const beforeAuthz = left.filter((name) => isBefore(name, 'authz'));
  const names: string[] = [];
  while (left.length > 0) {
    const free = left.findIndex((name) => !left.some((other) => isBefore(other, name)));
    names.push(...left.splice(free, 1));
  }
  return { names, beforeAuthz };
}

describe('bindStages', () => {
  const onMessage = (): void => {};

  it('refuses a stage that reads messages before authz', () => {
    const stages = stageOrder([stage('peek', { before: ['authz'] }, { onMessage })]);
    expect(() => bindStages(stages, METHOD)).toThrow(
      'calls: the stage "peek" reads messages (onMessage) and comes before authz',
    );
  });

  it('takes a stage that reads messages after authz, and one before it that does not', () => {
    const onCall = (): void => {};
    const stages = stageOrder([
      stage('limit', { before: ['log'] }, { onCall }),
      stage('check', {}, { onMessage }),
    ]);
    const { onCall: calls, onMessage: messages } = bindStages(stages, METHOD);
    expect([calls.length, messages.length]).toEqual([1, 1]);
  });
});
