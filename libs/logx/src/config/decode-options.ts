import { Mistakes } from '@apix/contracts';
import { Fields } from './fields.js';

/** A schema of zod, valibot, ArkType and others: https://standardschema.dev. */
export interface StandardSchema<T> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<T> | Promise<SchemaResult<T>>;
  };
}

type SchemaResult<T> =
  { readonly value: T; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] };

/** A mistake that a schema found. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** How the `options` of a sink are converted to a typed value: by a Standard Schema, or a reader of fields. */
export type OptionsDecoder<T> = StandardSchema<T> | ((fields: Fields) => T);

/** Thrown when the options of a sink are wrong, with the path of each mistake in the document. */
export class WrongOptions extends Error {
  constructor(
    path: string,
    readonly mistakes: readonly string[],
  ) {
    super(`logx: ${path} is wrong`);
  }
}

/** @throws WrongOptions with every mistake. */
export function decodeOptions<T>(options: unknown, path: string, decoder: OptionsDecoder<T>): T {
  const mistakes = new Mistakes();
  const decoded =
    typeof decoder === 'function'
      ? readFields(options, path, decoder, mistakes)
      : validate(options, path, decoder, mistakes);
  mistakes.throwIfAny((found) => new WrongOptions(path, found));
  return decoded as T;
}

function readFields<T>(
  options: unknown,
  path: string,
  read: (fields: Fields) => T,
  mistakes: Mistakes,
): T {
  const fields = new Fields(options, path, mistakes);
  const decoded = read(fields);
  fields.refuseOthers();
  return decoded;
}

function validate<T>(
  options: unknown,
  path: string,
  schema: StandardSchema<T>,
  mistakes: Mistakes,
): T | undefined {
  const result = schema['~standard'].validate(options);
  if (result instanceof Promise) {
    mistakes.add(path, 'the schema must be synchronous, but it returned a promise');
    return undefined;
  }
  if (result.issues === undefined) return result.value;
  for (const issue of result.issues) {
    mistakes.add(path + pathOfIssue(issue), issue.message);
  }
  return undefined;
}

function pathOfIssue({ path = [] }: SchemaIssue): string {
  return path
    .map((segment) => (typeof segment === 'object' ? segment.key : segment))
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('');
}
