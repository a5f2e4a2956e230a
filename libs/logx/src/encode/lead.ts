import type { Scope } from '../event/scope.js';
import type { Fragment, LineBuffer } from './line-buffer.js';

/**
 * The part of lines between their head and their first value: the fields of the scope and the template's
 * field. It is kept from the second time in a row that the scope is the same; most scopes are of one
 * request and are used once.
 */
export class Lead {
  #scope: Scope | undefined;
  #bytes: Fragment | undefined;

  /** Writes the part if it is kept; returns whether it was. */
  writeKept(line: LineBuffer, scope: Scope): boolean {
    if (this.#bytes === undefined || this.#scope !== scope) return false;
    line.add(this.#bytes);
    return true;
  }

  /** Records the part that was written instead, from `start` to the end of the line. */
  note(line: LineBuffer, start: number, scope: Scope): void {
    this.#bytes = this.#scope === scope ? line.copyFrom(start) : undefined;
    this.#scope = scope;
  }
}
