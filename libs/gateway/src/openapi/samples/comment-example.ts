/** `such as`, `for example`, `e.g.` or `Example:`, and then something in back quotes. */
const EXAMPLE = /(?:such as|for example,?|e\.g\.,?|examples?:)\s+`([^`]+)`/i;

/**
 * The example of a field's value in its comment: the text in back quotes after "such as" or "for example".
 */
export function commentExample(comment: string): string | undefined {
  return EXAMPLE.exec(comment.replaceAll(/\s+/g, ' '))?.[1]?.replaceAll(/^"(.*)"$/g, '$1');
}
