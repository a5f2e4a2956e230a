import type { JobsView } from '../../../src/section-views.js';
import { byId, rowsOf, say } from '../../elements.js';
import { PageAction } from '../../page-action.js';
import type { PageTab } from '../tab.js';
import { jobRows } from './job-rows.js';

/** The periodic jobs of the app, and the buttons that run them now. */
export const jobsTab: PageTab<'jobs'> = {
  id: 'jobs',
  title: 'Jobs',
  mount(page) {
    const jobs = rowsOf('jobs');
    const said = byId('jobs-said');
    const picker = byId('run-job-form');
    const choice = byId('run-job') as HTMLSelectElement;
    const action = new PageAction(page.base, 'runJob');
    const tick = (section: JobsView): void => jobs.show(jobRows(section, page.now()));
    byId('run-job-now').addEventListener('click', () => {
      const job = choice.value;
      void action.ask({ job }, `${job} was asked to run`).then((text) => say(said, text));
    });
    return {
      tick,
      show(section) {
        tick(section);
        showChoices(choice, section);
        action.whenAllowed(section.runnable, () => (picker.hidden = false));
      },
    };
  },
};

/** Leaves the choice alone where the jobs are the same. */
function showChoices(choice: HTMLSelectElement, { jobs }: JobsView): void {
  const names = jobs.map(({ name }) => name);
  if ([...choice.options].map(({ value }) => value).join('\n') === names.join('\n')) return;
  choice.replaceChildren(...names.map((name) => new Option(name, name)));
}
