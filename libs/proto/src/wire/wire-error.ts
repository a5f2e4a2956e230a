/** Bytes that are not a message of the type they were read as. */
export class WireError extends Error {
  constructor(
    /** The type that was to be read. */
    readonly typeName: string,
    /** What is wrong, such as `a length beyond the end of what holds it`. */
    readonly problem: string,
    /** The position of the fault, in bytes. */
    readonly offset: number,
    options: { readonly cause?: unknown } = {},
  ) {
    super(`proto: the bytes are not a ${typeName}: ${problem}, at byte ${offset}`, options);
    this.name = 'WireError';
  }
}

/** A fault in bytes on the wire, thrown by code that does not know the type or the place. */
export class WireProblem extends Error {}
