/** Something for which encoders prepare parts of their lines. */
export interface Preparable {
  readonly prepared: Prepared;
}

let count = 0;

/**
 * Values that encoders have prepared for one template or scope, kept as long as the template or scope. An
 * encoder reads only the values of its own function: there is a slot for each function.
 */
export class Prepared {
  /** Undefined until an encoder prepares something: most scopes are written once. */
  private values: unknown[] | undefined;

  /**
   * A function that calls `prepare` once for each owner. Create one per format, not per logger: its slot in
   * every template and scope is never removed.
   *
   * @param prepare must not return undefined.
   */
  static by<O extends Preparable, T extends object | string | boolean | null>(
    prepare: (owner: O) => T,
  ): (owner: O) => T {
    const place = count++;
    return (owner) => {
      const { prepared } = owner;
      const known = prepared.values?.[place] as T | undefined;
      return known === undefined ? ((prepared.values ??= [])[place] = prepare(owner)) : known;
    };
  }
}
