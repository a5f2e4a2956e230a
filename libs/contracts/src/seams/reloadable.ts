import { markClass } from '../brand.js';

/** Offered by whatever can take new settings in place; run by hostx on reload. */
export const RELOADABLE = Symbol.for('apix.Reloadable');

export interface Reloadable {
  readonly [RELOADABLE]?: true;
  /** Named in the report when the reload fails. */
  readonly name: string;
  reload(): void | Promise<void>;
}

/** Marks a provider that the host reloads. The same as a property `[RELOADABLE] = true`. */
export function Reloadable(): ClassDecorator {
  return markClass(RELOADABLE);
}
