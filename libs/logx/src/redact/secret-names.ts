/** Names asked about are those of members, of which there are few; texts from data must not pile up. */
const MAX_REMEMBERED = 1000;

/** Longer names are not remembered: a caller may have made them as long as a body. */
const MAX_LENGTH = 100;

/**
 * Whether a member's name is one of the names: in any case, `-` and `_` left out, so that
 * `apikey` means `apiKey`, `API_KEY` and the header `Api-Key`. Of a name with dots in it the last part
 * counts too.
 */
export function nameMatcher(names: readonly string[]): (name: string) => boolean {
  const wanted = new Set(names.map(plainName));
  const known = new Map<string, boolean>();
  return (name) => {
    const remembered = known.get(name);
    if (remembered !== undefined) return remembered;
    const isWanted =
      wanted.has(plainName(name)) || wanted.has(plainName(name.slice(name.lastIndexOf('.') + 1)));
    if (name.length > MAX_LENGTH) return isWanted;
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(name, isWanted);
    return isWanted;
  };
}

function plainName(name: string): string {
  return name.replaceAll(/[-_]/g, '').toLowerCase();
}
