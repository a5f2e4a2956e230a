import type { Component, Plugin } from './swagger-ui.js';

/** An operation as Swagger UI lists it. */
export interface ListedOperation {
  get(name: 'path' | 'method'): string;
  get(name: 'operation'): { get(name: string): unknown };
}

/** The operations of a tag. */
interface TaggedGroup {
  get(name: 'operations'): { filter(test: (one: ListedOperation) => boolean): { size: number } };
  set(name: 'operations', operations: object): TaggedGroup;
}

interface TaggedGroups {
  map(change: (group: TaggedGroup, tag: string) => TaggedGroup): TaggedGroups;
  filter(test: (group: TaggedGroup) => boolean): TaggedGroups;
}

interface SearchProps {
  readonly layoutSelectors: { currentFilter(): unknown };
  readonly layoutActions: { updateFilter(phrase: string): void };
}

/** Searches tags, paths, methods and summaries, where Swagger UI searches names of tags alone. */
export const searchPlugin: Plugin = ({ React }) => {
  const h = React.createElement;
  const Search: Component = (props) => {
    const { layoutSelectors, layoutActions } = props as unknown as SearchProps;
    const phrase = layoutSelectors.currentFilter();
    const onChange = ({ target }: { readonly target: HTMLInputElement }): void =>
      layoutActions.updateFilter(target.value);
    return h(
      'search',
      { className: 'wrapper operation-search' },
      h('input', {
        type: 'search',
        'aria-label': 'Search operations',
        placeholder: 'Search paths, summaries and tags',
        value: typeof phrase === 'string' ? phrase : '',
        onChange,
      }),
    );
  };
  return { fn: { opsFilter: found }, components: { FilterContainer: Search } };
};

function found(groups: TaggedGroups, phrase: string): TaggedGroups {
  return groups
    .map((group, tag) =>
      group.set(
        'operations',
        group.get('operations').filter((one) => isFound(phrase, tag, one)),
      ),
    )
    .filter((group) => (group.get('operations') as unknown as { size: number }).size > 0);
}

/** Whether each word of the phrase occurs somewhere in an operation, in any letter case. */
export function isFound(phrase: string, tag: string, one: ListedOperation): boolean {
  const operation = one.get('operation');
  const texts = ['operationId', 'summary'].map((name) => operation.get(name));
  const text = [tag, one.get('method'), one.get('path'), ...texts].join('\n').toLowerCase();
  const words = phrase.toLowerCase().split(/\s+/);
  return words.every((word) => text.includes(word));
}
