import { numberText } from './texts.js';

/** How many methods a table shows; a filter leads to the others. */
export const MOST_METHODS = 300;

/** How many methods a filter has found, and how many of them are shown; nothing where all are. */
export function methodCounts(all: number, found: number, isFiltered: boolean): readonly string[] {
  return [
    ...(isFiltered ? [`${numberText(found)} of ${numberText(all)}`] : []),
    ...(found > MOST_METHODS ? [`the first ${numberText(MOST_METHODS)} are shown`] : []),
  ];
}
