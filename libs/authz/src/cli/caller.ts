import type { Subject } from '../subject/subject.js';

/** A caller in one line. */
export function describeCaller(caller: Subject | null): string {
  if (caller === null) return 'an anonymous caller';
  const lists = [
    ['roles', caller.roles],
    ['permissions', caller.permissions],
  ] as const;
  const held = lists
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => `${name} ${values.join(', ')}`);
  return held.length === 0 ? 'any authenticated caller' : held.join(' with ');
}

/** Values of a command line option: split at commas. */
export function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}
