/**
 * The forms under which the search knows a word, in pages and in what is asked: without endings, so
 * that "rotate" finds "rotation", and a name of code also by its parts, so that "shutdown timeout"
 * finds `shutdownTimeout`. Runs in browsers as its own source: it uses nothing from around it.
 */
export function searchWords(word: string): string[] {
  const parts = word.match(/\p{Lu}?\p{Ll}{2,}|\p{Lu}{3,}(?!\p{Ll})/gu) ?? [];
  return [...new Set([word, ...parts].map((part) => part.toLowerCase()))].map((part) =>
    part
      .replace(/ies$/, 'y')
      .replace(/(?<=\p{L}{4})(?:ions?|ing|e[ds]?)$|(?<=\p{L}{2}[^s])s$/u, ''),
  );
}
