import type { PolicyMatrix } from '../../../src/section-views.js';
import { containing } from '../../cells.js';
import { MOST_METHODS } from '../../method-count.js';
import type { Cell, Row } from '../../rows.js';

const MARKS: Readonly<Record<string, Cell>> = {
  '+': { text: '✓', look: 'mark good', title: 'allowed' },
  '?': { text: '?', look: 'mark busy', title: 'the request decides' },
};
/** Empty, so that what is allowed stands out; a phone leaves the cell out. */
const DENIED: Cell = { text: '', look: 'mark', title: 'denied' };

/** The methods whose name or policy contains the text, without the limit of what is shown. */
export function matchingMethods(matrix: PolicyMatrix, text: string): PolicyMatrix['methods'] {
  return containing(matrix.methods, text, ({ method, who }) => [method, who]);
}

/** @param open the method that is explained. */
export function matrixRows(methods: PolicyMatrix['methods'], open: string | null): Row[] {
  return methods.slice(0, MOST_METHODS).map(({ method, who, access }) => ({
    key: method,
    cells: [
      { text: method, opens: { id: method, isOpen: method === open } },
      { text: who, look: 'text' },
      ...access.split('').map((mark) => MARKS[mark] ?? DENIED),
    ],
  }));
}

export function fieldRows({ fields }: PolicyMatrix): Row[] {
  return fields.map(({ field, who }) => ({
    key: field,
    cells: [
      { text: field, look: 'text' },
      { text: who, look: 'text' },
    ],
  }));
}
