/** A mistake that a schema found. */
export interface SchemaIssue {
  readonly message: string;
  /** Where; a segment may be wrapped in an object. Default: the whole value. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

type SchemaResult<T> =
  { readonly value: T; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] };

/**
 * The common interface of Zod, Valibot, ArkType and others (https://standardschema.dev, version 1), as far
 * as it is needed here.
 */
export interface StandardSchema<T> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<T> | Promise<SchemaResult<T>>;
  };
}
