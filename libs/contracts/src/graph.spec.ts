import { describe, expect, it } from '@jest/globals';
import { findCycle, reachable, reaches } from './graph.js';

const edges: Readonly<Record<string, readonly string[]>> = {
  a: ['b', 'c'],
  b: ['d'],
  c: ['d'],
  d: [],
  e: ['f'],
  f: ['g'],
  g: ['f'],
  h: ['h'],
};
const next = (node: string): readonly string[] => edges[node]!;

describe('reachable', () => {
  it('finds every node behind one, and the node itself', () => {
    expect([...reachable('a', next)].toSorted()).toEqual(['a', 'b', 'c', 'd']);
    expect([...reachable('e', next)].toSorted()).toEqual(['e', 'f', 'g']);
  });
});

describe('reaches', () => {
  it.each([
    ['a', 'd', true],
    ['a', 'a', true],
    ['d', 'a', false],
    ['b', 'c', false],
    ['e', 'g', true],
    ['g', 'e', false],
  ])('says of the way from %s to %s: %p', (from, to, isThere) => {
    expect(reaches(from, to, next)).toBe(isThere);
  });
});

describe('findCycle', () => {
  it.each<[string, readonly string[], readonly string[] | null]>([
    ['nodes that only meet again', ['a', 'b', 'c', 'd'], null],
    ['two nodes that lead to each other, without what leads there', ['a', 'e'], ['f', 'g']],
    ['a node that leads to itself', ['h'], ['h']],
  ])('looks at %s', (_, nodes, cycle) => {
    expect(findCycle(nodes, next)).toEqual(cycle);
  });

  it('looks along a way of 20,000 nodes, back to its first', () => {
    const around = (node: number): readonly number[] => [(node + 1) % 20_000];
    expect(findCycle([0], around)).toHaveLength(20_000);
    expect(findCycle([0], (node) => (node < 20_000 ? [node + 1] : []))).toBeNull();
  });
});
