import type { TracesView } from '../../../src/page-view.js';
import { byId, rowsOf } from '../../elements.js';
import type { PageTab } from '../tab.js';
import { TracePanel } from './trace-panel.js';
import { failedRows, slowestRows } from './trace-rows.js';

/** The slowest and the failed requests of late, and one with its spans. */
export const tracesTab: PageTab<'traces'> = {
  id: 'traces',
  title: 'Traces',
  mount(page) {
    const slowest = rowsOf('slowest');
    const failed = rowsOf('failed');
    const latest = (): TracesView | undefined => page.latest()?.sections.traces;
    const showRows = (section: TracesView): void => {
      slowest.show(slowestRows(section, page.now(), trace.open));
      failed.show(failedRows(section, page.now(), trace.open));
    };
    const trace = new TracePanel(new URL('traces/', page.base), () => {
      page.setParams({ trace: trace.open ?? '' });
      const section = latest();
      if (section !== undefined) showRows(section);
    });
    byId('requests').addEventListener('click', ({ target }) => {
      const button = (target as Element).closest<HTMLElement>('[data-opens]');
      const row = latest()?.traces.find(({ id }) => id === button?.dataset['opens']);
      if (button !== null && row !== undefined) trace.toggle(row, button);
    });
    return {
      show(section) {
        showRows(section);
        trace.refresh(section);
      },
      open: (params) => trace.follow(params.get('trace')),
      tick: showRows,
    };
  },
};
