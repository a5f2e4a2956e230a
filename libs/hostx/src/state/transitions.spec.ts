import { describe, expect, it } from '@jest/globals';
import {
  HOST_TRANSITIONS,
  SERVICE_TRANSITIONS,
  type Transitions,
  transition,
} from './transitions.js';

describe('a transition', () => {
  it('leads where the table says', () => {
    expect(transition(SERVICE_TRANSITIONS, 'ready', 'retry')).toBe('backoff');
  });

  it('that the table does not allow is a bug, and says so', () => {
    expect(() => transition(HOST_TRANSITIONS, 'stopped', 'run')).toThrow(
      'hostx: run cannot happen while stopped',
    );
  });
});

describe.each<[string, Transitions<string, string>, string, string[]]>([
  ['host', HOST_TRANSITIONS, 'idle', ['stopped']],
  ['service', SERVICE_TRANSITIONS, 'waiting', ['abandoned']],
])('the table of the %s', (_, table, first, last) => {
  it('reaches every state from the first, and ends only in final ones', () => {
    const reached = new Set([first]);
    for (const state of reached) {
      for (const next of Object.values(table[state]!)) if (next !== undefined) reached.add(next);
    }
    expect([...reached].toSorted()).toEqual(Object.keys(table).toSorted());
    const final = Object.keys(table).filter((state) => Object.keys(table[state]!).length === 0);
    expect(final.toSorted()).toEqual(last.toSorted());
  });
});
