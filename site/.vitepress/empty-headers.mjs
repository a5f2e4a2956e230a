/** The empty corner of a table of comparison is no heading. */
export function emptyHeaders(markdown) {
  markdown.core.ruler.push('empty-headers', ({ tokens }) => {
    tokens.forEach((token, index) => {
      const [inline, close] = tokens.slice(index + 1, index + 3);
      if (token.type !== 'th_open' || inline.content !== '') return;
      token.tag = 'td';
      close.tag = 'td';
    });
  });
}
