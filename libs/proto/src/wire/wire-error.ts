/** Bytes that are not a message of the type they were read as. */
export class WireError extends Error {
  constructor(
    /** The type that was to be read. */
    readonly typeName: string,
    /** What is wrong, such as `a field is longer than what holds it`. */
    readonly problem: string,
    /** How many bytes are before what is wrong. */
    readonly offset: number,
    options: { readonly cause?: unknown } = {},
  ) {
    super(`proto: the bytes are not a ${typeName}: ${problem}, at byte ${offset}`, options);
    this.name = 'WireError';
  }
}

/** What is wrong with bytes on the wire, thrown by those who do not know the type or the place. */
export class WireProblem extends Error {}
