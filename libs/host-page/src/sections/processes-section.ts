import type { ProcessRow } from '../page-view.js';
import type { PageSection } from './section.js';

/**
 * All processes of the app. Absent in an app of one process, and until the parent has answered.
 *
 * @param restartable whether some viewers may have them replaced.
 */
export function processesSection(
  ask: () => Promise<readonly ProcessRow[]>,
  restartable: boolean,
): PageSection<'processes'> {
  let processes: readonly ProcessRow[] = [];
  return {
    id: 'processes',
    isPresent: () => processes.length > 0,
    view: () => ({ processes, restartable }),
    async refresh() {
      try {
        processes = await ask();
      } catch {
        // The parent has ended, and this process is about to.
        processes = [];
      }
    },
  };
}
