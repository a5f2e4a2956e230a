import type { Scope } from '../event/scope.js';
import type { Fragment, LineBuffer } from './line-buffer.js';

/**
 * What lines have between their head and their first value, the fields of the scope and the template's,
 * kept from the second time in a row on that the scope is the same. Most are of one request, used once.
 */
export class Lead {
  #scope: Scope | undefined;
  #bytes: Fragment | undefined;

  /** Writes it if it is kept; returns whether it was. */
  writeKept(line: LineBuffer, scope: Scope): boolean {
    if (this.#bytes === undefined || this.#scope !== scope) return false;
    line.add(this.#bytes);
    return true;
  }

  /** Takes note of what was written in its place, from `start` to the end of the line. */
  note(line: LineBuffer, start: number, scope: Scope): void {
    this.#bytes = this.#scope === scope ? line.copyFrom(start) : undefined;
    this.#scope = scope;
  }
}
