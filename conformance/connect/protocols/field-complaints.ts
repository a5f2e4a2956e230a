import type { Fields } from '../suite/verdict.js';

/** Binary values are base64 without padding. */
export function fieldComplaints(...all: readonly Fields[]): string[] {
  return all.flatMap((fields) =>
    [...fields].flatMap(([name, values]) =>
      name.endsWith('-bin')
        ? values
            .flatMap((value) => value.split(/ ?, ?/))
            .filter((value) => !/^[A-Za-z0-9+/]*$/.test(value))
            .map((value) => `${name} is not unpadded base64: ${value}`)
        : [],
    ),
  );
}
