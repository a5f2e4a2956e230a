import type { LogsView } from '../../../src/section-views.js';
import { byId, onAsk, rowsOf, say } from '../../elements.js';
import { PageAction } from '../../page-action.js';
import type { TabPage } from '../tab.js';
import { levelRows } from './log-rows.js';

/** The levels that were changed for a while, and the form that changes them. */
export class LevelForm {
  readonly #page: TabPage;
  readonly #action: PageAction;
  readonly #rows = rowsOf('levels');
  readonly #table = byId('levels-table');
  #mayChange = false;

  constructor(page: TabPage) {
    this.#page = page;
    this.#action = new PageAction(page.base, 'changeLevel');
    const value = (id: string): string => (byId(id) as HTMLInputElement | HTMLSelectElement).value;
    byId('level-change').addEventListener('click', () => {
      const [logger, level] = [value('level-logger').trim(), value('level-level')];
      this.#ask({ logger, level, minutes: value('level-minutes') }, `is ${level}`);
    });
    onAsk(byId('levels'), (logger) => this.#ask({ logger }, 'is as before'));
  }

  show(section: LogsView): void {
    this.#action.whenAllowed(section.changeable, () => {
      this.#mayChange = true;
      byId('level-form').hidden = byId('levels-action').hidden = false;
      // New rows, as each has one more cell.
      this.#rows.show([]);
      this.show(section);
    });
    this.#table.hidden = section.levels.length === 0;
    this.#rows.show(levelRows(section, this.#page.now(), this.#mayChange));
  }

  #ask(params: Readonly<Record<string, string>> & { readonly logger: string }, done: string): void {
    const who = params.logger === '' ? 'all loggers' : params.logger;
    void this.#action
      .ask(params, `the level of ${who} ${done}`)
      .then((text) => say(byId('level-said'), text));
  }
}
