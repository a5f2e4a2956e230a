import { describe, expect, it } from '@jest/globals';
import { type HostPageOptions, resolveHostPage } from './host-page-options.js';

describe('the options of the host page', () => {
  it.each<[HostPageOptions, string]>([
    [{ interval: 99 }, 'interval: must be at least 100ms, not 99'],
    [{ interval: '2s', history: '1s' }, 'history: must be at least 2s, not "1s"'],
    [
      { history: 3_600_001 },
      'history: must be at most 3600 times the interval, not 3601 times; use a longer interval',
    ],
    [{ title: '' }, 'title: must be a non-empty string, not ""'],
    [{ events: 0 }, 'events: must be an integer from 1 to 10000, not 0'],
    [{ events: 10_001 }, 'events: must be an integer from 1 to 10000, not 10001'],
    [{ viewers: 0 }, 'viewers: must be an integer from 1 to 10000, not 0'],
    [{ checkInterval: 99 }, 'checkInterval: must be at least 100ms, not 99'],
  ])('are refused where they are %j', (options, mistake) => {
    expect(() => resolveHostPage(options)).toThrow(`host-page: ${mistake}`);
  });

  it.each<[HostPageOptions, object]>([
    [{}, { title: 'Host', interval: 1_000, samples: 300, events: 200, viewers: 20 }],
    [{ history: '1h' }, { samples: 3_600 }],
    [
      { interval: 100, history: 100 },
      { interval: 100, samples: 1 },
    ],
    [{ interval: '2s', history: '5s' }, { samples: 3 }],
    [
      { events: 1, viewers: 1, checkInterval: 100 },
      { events: 1, viewers: 1, checkInterval: 100 },
    ],
    [
      { events: 10_000, viewers: 10_000 },
      { events: 10_000, viewers: 10_000 },
    ],
  ])('may be %j', (options, resolved) => {
    expect(resolveHostPage(options)).toMatchObject(resolved);
  });
});
