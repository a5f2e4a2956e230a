import type { ProcessWatch } from './process-watch.js';
import type { PageSection } from './section.js';

/**
 * All processes of the app. Absent in an app of one process, and until the parent has answered.
 *
 * @param restartable whether some viewers may have them replaced.
 */
export function processesSection(
  watch: ProcessWatch,
  restartable: boolean,
): PageSection<'processes'> {
  return {
    id: 'processes',
    isPresent: () => watch.rows.length > 0,
    view: () => ({ processes: watch.rows, restartable }),
    refresh: watch.refresh,
  };
}
