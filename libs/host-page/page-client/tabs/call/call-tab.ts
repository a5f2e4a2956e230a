import type { CallMethods } from '../../../src/section-views.js';
import { byId, onOpen, rowsOf } from '../../elements.js';
import { LoadedOnce } from '../../loaded-once.js';
import { methodCounts } from '../../method-count.js';
import type { PageTab } from '../tab.js';
import { CallPanel } from './call-panel.js';
import { methodRows, namedMethods } from './call-rows.js';

/** The methods of the app, and a form to call one. */
export const callTab: PageTab<'call'> = {
  id: 'call',
  title: 'Call',
  mount(page) {
    const base = new URL('call/', page.base);
    const filter = byId('callables-filter') as HTMLInputElement;
    const count = byId('callables-count');
    const rows = rowsOf('callables');
    let methods: CallMethods | null = null;
    /** The method of the address, until its kind is known. */
    let wanted: string | null = null;

    const panel = new CallPanel(base, (params) => {
      page.setParams(params);
      showMethods();
    });
    const showMethods = (): void => {
      if (methods === null) return;
      const isFiltered = filter.value.trim() !== '';
      const found = namedMethods(methods, filter.value);
      rows.show(
        methodRows(found, panel.open),
        isFiltered ? 'nothing matches the filter' : undefined,
      );
      count.textContent = methodCounts(methods.length, found.length, isFiltered).join(' · ');
    };
    const openWanted = (): void => {
      const method = methods?.find((each) => each.method === wanted);
      if (wanted === null) panel.hide();
      else if (method !== undefined && panel.open !== wanted) panel.show(method);
      showMethods();
    };
    const list = new LoadedOnce<CallMethods>(new URL('methods', base), 'not available', (found) => {
      if (typeof found === 'string') {
        count.textContent = found;
        return;
      }
      methods = found;
      openWanted();
    });
    filter.addEventListener('input', showMethods);
    onOpen(byId('callables'), (wanted, opener) => {
      const method = methods?.find((each) => each.method === wanted);
      if (method !== undefined) panel.toggle(method, opener);
    });
    return {
      show: (_, { process }) => void list.from(process.startedAt),
      open(params) {
        wanted = params.get('method');
        openWanted();
      },
    };
  },
};
