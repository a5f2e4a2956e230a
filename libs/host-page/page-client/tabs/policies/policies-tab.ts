import type { PoliciesView, PolicyMatrix } from '../../../src/section-views.js';
import { byId, onOpen, rowsOf } from '../../elements.js';
import { LoadedOnce } from '../../loaded-once.js';
import { methodCounts } from '../../method-count.js';
import type { Rows } from '../../rows.js';
import { numberText } from '../../texts.js';
import type { PageTab } from '../tab.js';
import { decisionRows, denialRows, mergedDecisions } from './decision-rows.js';
import { ExplainPanel } from './explain-panel.js';
import { fieldRows, matchingMethods, matrixRows } from './matrix-rows.js';

/** Who may call what, why, and the decisions of late. */
export const policiesTab: PageTab<'policies'> = {
  id: 'policies',
  title: 'Policies',
  merge: mergedDecisions,
  mount(page) {
    const base = new URL('policies/', page.base);
    const filter = byId('methods-filter') as HTMLInputElement;
    const onlyDenied = byId('decisions-denied') as HTMLInputElement;
    const denials = rowsOf('denials');
    const fields = rowsOf('fields');
    const decisions = rowsOf('decisions');
    let matrix: PolicyMatrix | null = null;
    let methods: Rows | null = null;

    const explained = new ExplainPanel(base, (params) => {
      page.setParams(params);
      showMatrix();
    });
    const showMatrix = (): void => {
      if (matrix === null || methods === null) return;
      const found = matchingMethods(matrix, filter.value);
      const isFiltered = filter.value.trim() !== '';
      methods.show(
        matrixRows(found, explained.open),
        isFiltered ? 'nothing matches the filter' : undefined,
      );
      byId('methods-count').textContent = countText(matrix, found.length, isFiltered);
    };
    const load = new LoadedOnce<PolicyMatrix>(new URL('matrix', base), 'not available', (found) => {
      if (typeof found === 'string') {
        byId('methods-count').textContent = found;
        return;
      }
      byId('methods').replaceChildren();
      writeHead(found);
      methods = rowsOf('methods');
      matrix = found;
      fields.show(fieldRows(found));
      showMatrix();
    });
    const showDecisions = (section: PoliciesView): void => {
      const rows = decisionRows(section, onlyDenied.checked, page.now());
      decisions.show(rows, onlyDenied.checked ? 'none of them was denied' : undefined);
      byId('decisions-count').textContent =
        section.leftOut > 0 ? `${numberText(section.leftOut)} were too many to show` : '';
    };
    filter.addEventListener('input', showMatrix);
    onlyDenied.addEventListener('input', () => {
      const section = page.latest()?.sections.policies;
      if (section !== undefined) showDecisions(section);
    });
    onOpen(byId('methods'), (method, opener) => explained.toggle(method, opener));
    return {
      show(section, { process }) {
        void load.from(process.startedAt);
        denials.show(denialRows(section));
        showDecisions(section);
      },
      open(params) {
        explained.follow(params);
        showMatrix();
      },
    };
  },
};

function countText(matrix: PolicyMatrix, found: number, isFiltered: boolean): string {
  const { methods, leftOut } = matrix;
  const counts = methodCounts(methods.length, found, isFiltered);
  const left = leftOut > 0 ? [`${numberText(leftOut)} roles and permissions have no column`] : [];
  return [...counts, ...left].join(' · ');
}

/** A column for each caller, after the two that are always there. */
function writeHead({ callers }: PolicyMatrix): void {
  const head = byId('methods-head');
  const columns = callers.map((caller) => {
    const cell = document.createElement('th');
    cell.scope = 'col';
    cell.textContent = caller;
    return cell;
  });
  head.replaceChildren(...[...head.children].slice(0, 2), ...columns);
}
