import type { ConfigMistake } from './config-error.js';
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

interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** How the `options` of a sink become a typed value: a Standard Schema, or a reader of fields. */
export type OptionsDecoder<T> = StandardSchema<T> | ((fields: Fields) => T);

/** Thrown when options are wrong; what is wrong is noted in the mistakes of the document. */
export class WrongOptions extends Error {}

/** @throws WrongOptions after it has noted every mistake. */
export function decodeOptions<T>(
  options: unknown,
  path: string,
  decoder: OptionsDecoder<T>,
  mistakes: ConfigMistake[],
): T {
  const before = mistakes.length;
  const decoded =
    typeof decoder === 'function'
      ? readFields(options, path, decoder, mistakes)
      : validate(options, path, decoder, mistakes);
  if (mistakes.length > before) throw new WrongOptions(`logx: ${path} is wrong`);
  return decoded as T;
}

function readFields<T>(
  options: unknown,
  path: string,
  read: (fields: Fields) => T,
  mistakes: ConfigMistake[],
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
  mistakes: ConfigMistake[],
): T | undefined {
  const result = schema['~standard'].validate(options);
  if (result instanceof Promise) {
    mistakes.push({ path, message: 'its schema answers with a promise; it must answer at once' });
    return undefined;
  }
  if (result.issues === undefined) return result.value;
  for (const issue of result.issues) {
    mistakes.push({ path: path + pathOfIssue(issue), message: issue.message });
  }
  return undefined;
}

function pathOfIssue({ path = [] }: SchemaIssue): string {
  return path
    .map((segment) => (typeof segment === 'object' ? segment.key : segment))
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('');
}
