import { githubAnchor } from './github-anchor.mjs';

/**
 * Gives ids to what the search leads to besides headings: rows of tables that begin with code, and
 * paragraphs and list items that begin in bold. tools/site/search reads them.
 */
export function namePlaces(markdown) {
  markdown.core.ruler.push('named-places', ({ tokens }) => {
    const taken = new Set();
    tokens.forEach((token, index) => {
      const name = token.type === 'inline' ? nameOf(token, tokens[index - 1]) : undefined;
      if (name === undefined) return;
      const id = `at-${githubAnchor(name).slice(0, 60)}`;
      let free = id;
      for (let count = 1; taken.has(free); count++) free = `${id}-${count}`;
      taken.add(free);
      placeOf(tokens, index)?.attrSet('id', free);
    });
  });
}

function nameOf({ children }, { type }) {
  const [first, second] = children.filter((it) => it.type !== 'text' || it.content.trim() !== '');
  if (type === 'td_open') return first?.type === 'code_inline' ? first.content : undefined;
  return type === 'paragraph_open' && first?.type === 'strong_open' ? second?.content : undefined;
}

/** The row, the list item or the paragraph that a text begins. */
function placeOf(tokens, index) {
  const [before, parent] = [tokens[index - 1], tokens[index - 2]];
  if (before.type === 'td_open') return parent.type === 'tr_open' ? parent : undefined;
  return parent?.type === 'list_item_open' ? parent : before;
}
