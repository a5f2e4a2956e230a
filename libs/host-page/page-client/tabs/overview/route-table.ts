import type { PageView } from '../../../src/page-view.js';
import type { RoutesView } from '../../../src/section-views.js';
import { byId } from '../../elements.js';
import { FilteredRows } from '../../filtered-rows.js';
import type { TabPage } from '../tab.js';
import { marksOf } from './overview-rows.js';
import { routeRows } from './route-rows.js';

/** The routes and methods of the app with their small plots; hidden in an app in which nothing knows of requests. */
export class RouteTable {
  readonly #section = byId('routes-section');
  readonly #sort = byId('routes-sort') as HTMLSelectElement;
  readonly #refused = byId('routes-refused') as HTMLInputElement;
  readonly #rows: FilteredRows;
  #shownRoutes: RoutesView | undefined;
  #shownEvents: PageView['events'] | undefined;

  constructor(private readonly page: TabPage) {
    this.#rows = new FilteredRows('routes', () => this.#draw(page.latest()));
    for (const field of [this.#sort, this.#refused]) {
      field.addEventListener('input', () => {
        page.setParams({ sort: this.#sort.value, refused: this.#refused.checked ? 'yes' : '' });
        this.#draw(page.latest());
      });
    }
  }

  /** Takes over what the address says. */
  open(params: URLSearchParams): void {
    this.#sort.value = params.get('sort') ?? '';
    // The address may name an order that there is not.
    if (this.#sort.selectedIndex < 0) this.#sort.value = '';
    this.#refused.checked = params.get('refused') === 'yes';
    this.#draw(this.page.latest());
  }

  show(view: PageView): void {
    const { routes } = view.sections.overview ?? {};
    if (routes === this.#shownRoutes && view.events === this.#shownEvents) return;
    this.#draw(view);
  }

  #draw(view: PageView | null): void {
    const { routes } = view?.sections.overview ?? {};
    this.#section.hidden = routes === undefined;
    if (view === null || routes === undefined) return;
    this.#shownRoutes = routes;
    this.#shownEvents = view.events;
    const choice = { sort: this.#sort.value, withRefused: this.#refused.checked };
    this.#rows.show(routeRows(routes, choice, marksOf(view)));
  }
}
