import { onceForText } from '@apix/contracts/internal';

/**
 * Whether a member's name is one of the names: in any case, `-` and `_` left out, so that `apikey` means
 * `apiKey`, `API_KEY` and the header `Api-Key`. The last part of a name with dots counts too.
 */
export function nameMatcher(names: readonly string[]): (name: string) => boolean {
  const wanted = new Set(names.map(plainName));
  return onceForText(
    (name) =>
      wanted.has(plainName(name)) || wanted.has(plainName(name.slice(name.lastIndexOf('.') + 1))),
  );
}

function plainName(name: string): string {
  return name.replaceAll(/[-_]/g, '').toLowerCase();
}
