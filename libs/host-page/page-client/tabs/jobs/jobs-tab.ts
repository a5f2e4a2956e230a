import { rowsOf } from '../../elements.js';
import type { PageTab } from '../tab.js';
import { jobRows } from './job-rows.js';

/** The periodic jobs of the app. */
export const jobsTab: PageTab<'jobs'> = {
  id: 'jobs',
  title: 'Jobs',
  mount(page) {
    const jobs = rowsOf('jobs');
    const show = (section: Parameters<typeof jobRows>[0]): void =>
      jobs.show(jobRows(section, page.now()));
    return { show, tick: show };
  },
};
