import type { LogsView } from '../../../src/section-views.js';
import { byId, rowsOf } from '../../elements.js';
import { numberText } from '../../texts.js';
import type { PageTab } from '../tab.js';
import { LevelForm } from './level-form.js';
import { type LogFilter, logRows, mergedLogs } from './log-rows.js';

const FILTERS = ['level', 'logger', 'request', 'text'] as const;

/** The log of the app, live. */
export const logsTab: PageTab<'logs'> = {
  id: 'logs',
  title: 'Logs',
  merge: mergedLogs,
  mount(page) {
    const logs = rowsOf('logs');
    const fields = FILTERS.map(
      (name) => [name, byId(`logs-${name}`) as HTMLInputElement | HTMLSelectElement] as const,
    );
    const levels = new LevelForm(page);
    const filter = (): LogFilter =>
      Object.fromEntries(fields.map(([name, { value }]) => [name, value])) as unknown as LogFilter;
    const show = (section: LogsView): void => {
      levels.show(section);
      const rows = logRows(section, filter(), page.now());
      const isFiltered = fields.some(([, { value }]) => value !== '');
      logs.show(rows, isFiltered ? 'nothing matches the filter' : undefined);
      const parts = isFiltered ? [`${rows.length} of ${section.records.length}`] : [];
      if (section.leftOut > 0) parts.push(`${numberText(section.leftOut)} were too many to show`);
      byId('logs-count').textContent = parts.join(' · ');
    };
    for (const [, field] of fields) {
      field.addEventListener('input', () => {
        page.setParams({ ...filter() });
        const section = page.latest()?.sections.logs;
        if (section !== undefined) show(section);
      });
    }
    return {
      show,
      tick: (section) => levels.show(section),
      open(params) {
        for (const [name, field] of fields) field.value = params.get(name) ?? '';
      },
    };
  },
};
