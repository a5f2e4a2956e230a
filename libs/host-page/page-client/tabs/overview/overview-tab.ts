import type { PageView } from '../../../src/page-view.js';
import type { OverviewView } from '../../../src/section-views.js';
import { byId, onAsk, rowsOf, say } from '../../elements.js';
import { FilteredRows } from '../../filtered-rows.js';
import { PageAction } from '../../page-action.js';
import type { PageTab } from '../tab.js';
import { checkRows, eventRows, figureRows, serviceRows } from './overview-rows.js';
import { ProcessPlots } from './process-plots.js';
import { RouteTable } from './route-table.js';

/** Services, health, memory and delay, routes, the last events of the host, and all metrics. */
export const overviewTab: PageTab<'overview'> = {
  id: 'overview',
  title: 'Overview',
  merge: (known, next) => ({ ...next, routes: next.routes ?? known.routes }),
  mount(page) {
    const services = rowsOf('services');
    const restart = new PageAction(page.base, 'restartService');
    const said = byId('services-said');
    let mayRestart = false;
    onAsk(byId('services'), (service) => {
      if (!confirm(`Stop ${service} and start it again?`)) return;
      void restart
        .ask({ service }, `${service} was asked to restart`)
        .then((text) => say(said, text));
    });
    const showServices = (section: OverviewView): void =>
      services.show(serviceRows(section, page.now(), mayRestart));
    const checks = rowsOf('checks');
    const plots = new ProcessPlots();
    const routes = new RouteTable(page);
    const problems = byId('problems') as HTMLInputElement;
    const events = new FilteredRows('events', () => showEvents(page.latest()));
    const figures = new FilteredRows('figures', () => showFigures(page.latest()));
    /** The displayed events; they are not rendered again, because a long list takes time. */
    let shownEvents: PageView['events'] | undefined;
    const showEvents = (view: PageView | null): void => {
      shownEvents = view?.events;
      if (view !== null) events.show(eventRows(view, problems.checked));
    };
    const showFigures = (view: PageView | null): void => {
      const { overview } = view?.sections ?? {};
      if (overview !== undefined) figures.show(figureRows(overview));
    };
    problems.addEventListener('input', () => showEvents(page.latest()));
    return {
      show(section, view) {
        restart.whenAllowed(section.restartable, () => {
          mayRestart = true;
          said.hidden = byId('services-action').hidden = false;
          // New rows, as each has one more cell.
          services.show([]);
          showServices(section);
        });
        showServices(section);
        checks.show(checkRows(view));
        if (view.events !== shownEvents) showEvents(view);
        showFigures(view);
        plots.show(view);
        routes.show(view);
      },
      open: (params) => routes.open(params),
      tick: showServices,
    };
  },
};
