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

/** How deeply messages may nest, as other implementations have it. */
export const MAX_DEPTH = 100;

/** For messages that hold one another more deeply than the stack of a reader should go. */
export function tooDeep(): WireProblem {
  return new WireProblem(`nested deeper than ${MAX_DEPTH} levels`);
}

/** For a field number 0, a wire type that there is not, or more than 32 bits. */
export function notTag(): WireProblem {
  return new WireProblem('not the tag of a field');
}

export function tooShort(): WireProblem {
  return new WireProblem('a field that goes beyond the end of what holds it');
}

export function tooLong(): WireProblem {
  return new WireProblem('a varint of more than ten bytes');
}
