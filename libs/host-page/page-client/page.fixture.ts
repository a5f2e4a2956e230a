import type { PageEvent, PageView, Sample } from '../src/page-view.js';

/** A view of a host in which there is nothing. */
export function view(over: Partial<PageView> = {}): PageView {
  return {
    full: false,
    now: 0,
    keeps: { events: 4, samples: 3, intervalMs: 1_000 },
    process: { pid: 1, node: 'v20', startedAt: 0 },
    host: { phase: 'running', since: 0, environment: 'Test' },
    health: null,
    events: [],
    samples: [],
    tabs: ['overview'],
    sections: {},
    ...over,
  };
}

export function event(id: number, over: Partial<PageEvent> = {}): PageEvent & { id: number } {
  return { id, at: 0, level: 'information', subject: 'host', text: `${id}`, ...over };
}

export function sample(id: number): Sample & { id: number } {
  return { id, at: 0, rss: 0, heapUsed: 0, delayMedianMs: 0, delayMaxMs: 0 };
}
