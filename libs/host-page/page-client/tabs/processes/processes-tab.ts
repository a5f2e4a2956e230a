import { byId, rowsOf, say } from '../../elements.js';
import { asked } from '../../page-action.js';
import type { PageTab } from '../tab.js';
import { processRows } from './process-rows.js';

/** All processes of an app of several, and the button that replaces them. */
export const processesTab: PageTab<'processes'> = {
  id: 'processes',
  title: 'Processes',
  mount(page) {
    const processes = rowsOf('processes');
    const restart = byId('restart') as HTMLButtonElement;
    restart.addEventListener('click', () => {
      if (confirm('Replace all processes, one after the other?')) {
        void askForRestart(new URL('restart', page.base), restart);
      }
    });
    return {
      show(section, view) {
        restart.hidden = !section.restartable;
        this.tick!(section, view);
      },
      tick: (section, { process }) => processes.show(processRows(section, process.pid, page.now())),
    };
  },
};

async function askForRestart(url: URL, button: HTMLButtonElement): Promise<void> {
  button.disabled = true;
  say(byId('restart-said'), await asked(url, 'the restart has begun'));
  button.disabled = false;
}
