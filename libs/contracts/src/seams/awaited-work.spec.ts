import { describe, expect, it } from '@jest/globals';
import { beginWork, isAwaitedByWork, workUnderWay } from './awaited-work.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function asked(): Promise<boolean> {
  await turn();
  return isAwaitedByWork();
}

describe('isAwaitedByWork', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['at once', () => workUnderWay(() => isAwaitedByWork())],
    ['after an await', () => workUnderWay(asked)],
    [
      'several functions below',
      () => workUnderWay(async () => await (async () => await asked())()),
    ],
    ['in Promise.all', () => workUnderWay(async () => (await Promise.all([asked(), turn()]))[0])],
    ['in work that may end at once', () => beginWork(asked)],
    ['in work that has ended at once', async () => beginWork(() => isAwaitedByWork())],
  ])('is true for what work awaits: %s', async (_, answer) => {
    expect(await answer()).toBe(true);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['is outside of it', asked],
    [
      'has a function called workUnderWay',
      async function workUnderWay() {
        return await asked();
      },
    ],
    [
      'was started by a timer of work',
      async () => {
        const answer = await workUnderWay(() => ({
          later: new Promise((resolve) => setTimeout(() => void asked().then(resolve), 1)),
        }));
        return await (answer as { later: Promise<boolean> }).later;
      },
    ],
  ])('is false for code that %s', async (_, answer) => {
    expect(await answer()).toBe(false);
  });

  it('leaves the settings of stacks as they were', async () => {
    const before = Object.getOwnPropertyDescriptors(Error);
    await asked();
    expect(Object.getOwnPropertyDescriptors(Error)).toEqual(before);
  });
});

describe('beginWork', () => {
  it('returns what the work returns, and throws what it throws', async () => {
    expect(beginWork(() => 7)).toBe(7);
    expect(await beginWork(() => Promise.resolve(8))).toBe(8);
    const error = new Error('full');
    await expect(beginWork(() => Promise.reject(error))).rejects.toBe(error);
    expect(() =>
      beginWork(() => {
        throw error;
      }),
    ).toThrow(error);
  });
});
