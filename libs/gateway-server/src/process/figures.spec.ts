import { describe, expect, it } from '@jest/globals';
import type { Catalogue } from '../catalogue/catalogue.js';
import { CatalogueFigures } from './figures.js';

/** A gateway that has served `count` requests with status 200. */
function gateway(count: number, active = 0) {
  return { counts: { active, served: new Map([[200, count]]) } };
}

/** The metrics of a first gateway, and a way to serve another one. */
function rig(first: ReturnType<typeof gateway>) {
  const catalogue = { current: { gateway: first, authorizer: undefined } };
  const figures = new CatalogueFigures(catalogue as unknown as Catalogue);
  figures.follow(first);
  return {
    serve: (next: ReturnType<typeof gateway>): void => {
      catalogue.current.gateway = next;
      figures.follow(next);
    },
    read: () => [...figures.metrics()].map(({ value }) => value),
  };
}

describe('figures of requests', () => {
  it('are none before anything is served', () => {
    const figures = new CatalogueFigures({ current: undefined } as Catalogue);
    expect([...figures.metrics()]).toEqual([]);
  });

  it('never go back when something else is served, read in between or not', () => {
    const { serve, read } = rig(gateway(3));
    expect(read()).toEqual([0, 3]);
    serve(gateway(2));
    serve(gateway(1));
    expect(read()).toEqual([0, 6]);
    expect(read()).toEqual([0, 6]);
  });

  it('have requests that end on what was served before', () => {
    const first = gateway(1, 1);
    const { serve, read } = rig(first);
    serve(gateway(0));
    expect(read()).toEqual([1, 1]);
    first.counts.served.set(200, 2);
    first.counts.active = 0;
    expect(read()).toEqual([0, 2]);
    expect(read()).toEqual([0, 2]);
  });
});
