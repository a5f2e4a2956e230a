/** Something that encoders prepare parts of their lines for. */
export interface Preparable {
  readonly prepared: Prepared;
}

let count = 0;

/**
 * Values that encoders have prepared for one template or scope, kept as long as that. An encoder reads only
 * the values of its own function: there is a place for each function.
 */
export class Prepared {
  private readonly values: unknown[] = [];

  /**
   * A function that calls `prepare` once for each owner. Make it once for a format, not for a
   * logger: its place in every template and scope stays.
   *
   * @param prepare must not return undefined.
   */
  static by<O extends Preparable, T extends object | string | boolean | null>(
    prepare: (owner: O) => T,
  ): (owner: O) => T {
    const place = count++;
    return (owner) => {
      const { values } = owner.prepared;
      const known = values[place] as T | undefined;
      return known === undefined ? (values[place] = prepare(owner)) : known;
    };
  }
}
