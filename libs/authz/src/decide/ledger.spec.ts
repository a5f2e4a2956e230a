import { type CallContext, Code, StatusError } from '@apix/contracts';
import { describe, expect, it } from '@jest/globals';
import { type Decision, Ledger } from './decision.js';

const DOORS: readonly CallContext['door'][] = [
  'grpc',
  'http',
  'message',
  'websocket',
  'graphql',
  'other',
  'direct',
];

const callThrough = (door: CallContext['door']): CallContext => ({
  door,
  method: { fullName: '/s/M', service: 's', name: 'M', kind: 'unary' },
  metadata: { get: () => [], keys: () => [] },
  peer: { address: '' },
  signal: new AbortController().signal,
  forwarded: false,
});

const told = (mode: 'enforce' | 'shadow', call: CallContext | undefined): Decision[] => {
  const decisions: Decision[] = [];
  const ledger = new Ledger(mode, (decision, of) => {
    expect(of).toBe(call);
    decisions.push(decision);
  });
  ledger.allowed('public', '/s/M', null, call);
  const error = new StatusError(Code.UNAUTHENTICATED, 'who?');
  ledger.denied({ reason: 'anonymous', error }, '/s/M', null, call);
  return decisions;
};

describe('Decision.door', () => {
  it.each(DOORS)('is the door of the call, allowed or denied: %s', (door) => {
    expect(told('enforce', callThrough(door))).toMatchObject([
      { allowed: true, door },
      { allowed: false, door, shadow: false },
    ]);
  });

  it('is direct where there is no call', () => {
    expect(told('shadow', undefined)).toMatchObject([
      { allowed: true, door: 'direct' },
      { allowed: false, door: 'direct', shadow: true },
    ]);
  });

  it('is direct where the context throws', () => {
    const call = Object.defineProperty({ ...callThrough('http') }, 'door', {
      get: () => {
        throw new Error('no door');
      },
    });
    expect(told('shadow', call)).toMatchObject([
      { allowed: true, door: 'direct' },
      { allowed: false, door: 'direct', shadow: true },
    ]);
  });
});

describe('Ledger.follow', () => {
  it('reports each decision, or each denial, next to the observer of the option, until that ends', () => {
    const ledger = new Ledger('enforce', (decision) => heard.push(`option ${decision.reason}`));
    const heard: string[] = [];
    const end = ledger.follow(({ reason }) => heard.push(`denials ${reason}`), 'denials');
    ledger.follow(({ reason }) => heard.push(`decisions ${reason}`), 'decisions');
    const error = new StatusError(Code.UNAUTHENTICATED, 'who?');
    const decide = (): void => {
      ledger.allowed('public', '/s/M', null, undefined);
      ledger.denied({ reason: 'anonymous', error }, '/s/M', null, undefined);
    };
    decide();
    const after = ['option anonymous', 'decisions anonymous'];
    const before = ['option public', 'decisions public'];
    expect(heard).toEqual([...before, 'denials anonymous', ...after]);
    end();
    heard.length = 0;
    decide();
    expect(heard).toEqual([...before, ...after]);
  });
});

describe('the metric of decisions', () => {
  const counted = (mode: 'enforce' | 'shadow'): Record<string, number> => {
    const ledger = new Ledger(mode, undefined);
    const refusal = new StatusError(Code.PERMISSION_DENIED, 'no');
    ledger.allowed('public', '/s/M', null, undefined);
    for (let call = 0; call < 2; call++) {
      ledger.denied({ reason: 'roles', error: refusal }, '/s/M', null, undefined);
    }
    return Object.fromEntries(
      [...ledger.metrics()].map(({ attributes, value }) => [attributes?.['outcome'], value]),
    );
  };

  it('counts what was refused as denied', () => {
    expect(counted('enforce')).toEqual({ allowed: 1, denied: 2, shadowed: 0 });
  });

  it('counts what shadow mode let through as shadowed, which is how a team sees what would break', () => {
    expect(counted('shadow')).toEqual({ allowed: 1, denied: 0, shadowed: 2 });
  });
});
