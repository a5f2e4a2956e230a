import { readTarget } from '@apix/contracts/internal';

/** The path of a request target, without the query, which may hold secrets. */
export function pathOf(target: string | undefined): string {
  return target === undefined ? '' : readTarget(target).path;
}
