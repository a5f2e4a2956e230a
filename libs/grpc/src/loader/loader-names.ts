import type { DescField } from '@bufbuild/protobuf';
import type { LoaderForm } from './loader-options.js';

/** An underscore goes, and the letter after it is upper case, if no digit or second underscore is next to it. */
const JOINT = /(?<=.)_([a-z])(?=[a-z]|$)/g;

/** What proto-loader calls a field or a oneof of a `.proto` file; `line_1` keeps its name. */
export function loaderName(name: string, { keepCase }: Pick<LoaderForm, 'keepCase'>): string {
  return keepCase ? name : name.replace(JOINT, (_, letter: string) => letter.toUpperCase());
}

/**
 * Files of Google's that proto-loader has a copy of, whose names do not depend on `keepCase`. Their other
 * files have no name that it could change.
 */
const OWN_COPIES: Readonly<Record<string, boolean>> = {
  'google/protobuf/any': true,
  'google/protobuf/struct': false,
};

/** What proto-loader calls a field. */
export function loaderFieldName(field: DescField, form: Pick<LoaderForm, 'keepCase'>): string {
  const keepCase = OWN_COPIES[field.parent.file.name] ?? form.keepCase;
  return loaderName(field.name, { keepCase });
}

/**
 * The oneof that a field belongs to, as proto-loader has it: an `optional` field of proto3 is in one of its own.
 * Undefined for other fields.
 */
export function loaderOneof(
  field: DescField,
  options: Pick<LoaderForm, 'keepCase'>,
): string | undefined {
  if (field.oneof !== undefined) return loaderName(field.oneof.name, options);
  return field.proto.proto3Optional ? loaderName(`_${field.name}`, options) : undefined;
}
