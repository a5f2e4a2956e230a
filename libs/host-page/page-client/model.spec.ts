import { describe, expect, it } from '@jest/globals';
import { merged } from './model.js';
import { event, sample, view } from './page.fixture.js';

const ids = (items: readonly { readonly id: number }[]): number[] => items.map(({ id }) => id);

describe('what was received', () => {
  it('is added to what is known, each thing once, the oldest given up', () => {
    const known = view({
      full: true,
      events: [event(1), event(2)],
      samples: [sample(6), sample(7)],
    });
    const next = view({
      now: 5,
      events: [event(2), event(3), event(4)],
      samples: [sample(8), sample(9)],
    });
    const both = merged(known, next, []);
    expect(both.now).toBe(5);
    expect(ids(both.events)).toEqual([1, 2, 3, 4]);
    expect(ids(both.samples)).toEqual([7, 8, 9]);
  });

  it('leaves a list as it is where nothing is new', () => {
    const known = view({ full: true, events: [event(1), event(2)] });
    expect(merged(known, view({ events: [event(2)] }), []).events).toBe(known.events);
    expect(merged(known, view(), []).events).toBe(known.events);
  });

  it.each([
    ['at the beginning', null],
    ['after another process has taken over', view({ events: [event(9)] })],
  ])('replaces what is known %s', (_, known) => {
    expect(ids(merged(known, view({ full: true, events: [event(1)] }), []).events)).toEqual([1]);
  });

  it('of a tab is kept while another one is open, and added up where the tab says how', () => {
    const jobs = { jobs: [], runnable: false };
    const overview = { services: [], restartable: false, figures: [] };
    const merge = () => ({ services: [], restartable: false, figures: [figure] });
    const figure = { name: 'n', attributes: '', value: 1, unit: '', description: '' };
    const known = view({ full: true, sections: { jobs, overview } });
    const next = view({ sections: { overview } });
    expect(merged(known, next, []).sections).toEqual({ jobs, overview });
    const added = merged(known, next, [{ id: 'overview', merge }]).sections;
    expect(added).toEqual({
      jobs,
      overview: { services: [], restartable: false, figures: [figure] },
    });
    const whole = merged(known, { ...next, full: true }, [{ id: 'overview', merge }]).sections;
    expect(whole).toEqual({ jobs, overview });
  });

  it('of a tab is forgotten with the process that sent it', () => {
    const known = view({ full: true, sections: { jobs: { jobs: [], runnable: false } } });
    const process = { pid: 2, node: 'v20', startedAt: 1 };
    expect(merged(known, view({ full: true, process }), []).sections).toEqual({});
  });
});
