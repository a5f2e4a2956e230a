import type { TracesView } from '../../../src/section-views.js';
import { byId, onOpen, rowsOf } from '../../elements.js';
import type { PageTab } from '../tab.js';
import { TracePanel } from './trace-panel.js';
import { failureRows, slowestRows } from './trace-rows.js';

/** The slowest requests of late, what failed, and one request with its spans. */
export const tracesTab: PageTab<'traces'> = {
  id: 'traces',
  title: 'Traces',
  mount(page) {
    const slowest = rowsOf('slowest');
    const failed = rowsOf('failed');
    const refused = byId('failed-refused') as HTMLInputElement;
    const latest = (): TracesView | undefined => page.latest()?.sections.traces;
    const showRows = (section: TracesView): void => {
      slowest.show(slowestRows(section, page.now(), trace.open));
      const { events = [] } = page.latest() ?? {};
      const failures = { traces: section.traces, events, withRefused: refused.checked };
      failed.show(failureRows(failures, page.now(), trace.open));
    };
    const changed = (): void => {
      page.setParams({ trace: trace.open ?? '', refused: refused.checked ? 'yes' : '' });
      const section = latest();
      if (section !== undefined) showRows(section);
    };
    const trace = new TracePanel(new URL('traces/', page.base), changed);
    refused.addEventListener('input', changed);
    onOpen(byId('requests'), (wanted, opener) => {
      const row = latest()?.traces.find(({ id }) => id === wanted);
      if (row !== undefined) trace.toggle(row, opener);
    });
    return {
      show(section) {
        showRows(section);
        trace.refresh(section);
      },
      tick: showRows,
      open(params) {
        refused.checked = params.get('refused') === 'yes';
        trace.follow(params.get('trace'));
      },
    };
  },
};
