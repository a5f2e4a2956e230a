import type { DescField, DescMessage } from '@bufbuild/protobuf';
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

/** A field as a member of proto-loader's object. */
export interface LoaderMember {
  readonly field: DescField;
  readonly name: string;
  /**
   * The oneof that it belongs to: an `optional` field of proto3 is in one of its own. Undefined for other fields.
   */
  readonly oneof: string | undefined;
}

const KEPT = new WeakMap<DescMessage, readonly LoaderMember[]>();
const CHANGED = new WeakMap<DescMessage, readonly LoaderMember[]>();

/** The members of a type's objects, in the order of its fields; named once for each type. */
export function loaderMembers(
  desc: DescMessage,
  { keepCase }: Pick<LoaderForm, 'keepCase'>,
): readonly LoaderMember[] {
  const known = keepCase ? KEPT : CHANGED;
  const found = known.get(desc);
  if (found !== undefined) return found;
  const members = desc.fields.map((field) => memberOf(field, keepCase));
  known.set(desc, members);
  return members;
}

function memberOf(field: DescField, keepCase: boolean): LoaderMember {
  const own = OWN_COPIES[field.parent.file.name] ?? keepCase;
  const name = loaderName(field.name, { keepCase: own });
  return { field, name, oneof: oneofOf(field, keepCase) };
}

function oneofOf(field: DescField, keepCase: boolean): string | undefined {
  if (field.oneof !== undefined) return loaderName(field.oneof.name, { keepCase });
  return field.proto.proto3Optional ? loaderName(`_${field.name}`, { keepCase }) : undefined;
}
