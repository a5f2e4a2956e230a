import {
  type DescExtension,
  type DescField,
  type DescFile,
  type DescMessage,
  getExtension,
  isMessage,
  type Message,
} from '@bufbuild/protobuf';
import { valueIn } from '../message/message-shape.js';
import { VISIBLE_OPTION } from '../option.js';

type FieldLike = DescField | DescExtension;

const known = new WeakMap<FieldLike, boolean>();

/**
 * Whether the values of a field must not be shown to people: not every caller sees them, it has `debug_redact`, or an option that is an
 * enum value with `debug_redact`, at any depth, as in protobuf's C++.
 */
export function isRedacted(field: FieldLike): boolean {
  let redacted = known.get(field);
  if (redacted === undefined) known.set(field, (redacted = readRedacted(field)));
  return redacted;
}

function readRedacted(field: FieldLike): boolean {
  return isForSome(field) || hasDebugRedact(field);
}

/** Whether nobody must be shown the values of a field: {@link isRedacted} without what some callers see. */
export function hasDebugRedact(field: FieldLike): boolean {
  const { options } = field.proto;
  if (options === undefined) return false;
  if (options.debugRedact) return true;
  const numbers = new Set(options.$unknown?.map(({ no }) => no));
  if (numbers.size === 0) return false;
  const file = field.kind === 'extension' ? field.file : field.parent.file;
  return [...numbers].some((number) => {
    const option = optionsIn(file).get(number);
    return option !== undefined && hidesBy(option, () => getExtension(options, option));
  });
}

/** Whether the option that states who sees a field is there, however little of it is known. */
export function isForSome(field: FieldLike): boolean {
  const { options } = field.proto;
  if (options?.$unknown === undefined) return false;
  const known = optionsIn(field.kind === 'extension' ? field.file : field.parent.file);
  return options.$unknown.some(({ no }) => known.get(no)?.typeName === VISIBLE_OPTION);
}

const optionsByFile = new WeakMap<DescFile, ReadonlyMap<number, DescExtension>>();

/** The options of fields that a file can use: its own, and those of its imports. */
function optionsIn(file: DescFile): ReadonlyMap<number, DescExtension> {
  let options = optionsByFile.get(file);
  if (options === undefined) {
    const found = new Map<number, DescExtension>();
    for (const each of withImports(file)) {
      for (const extension of extensionsOf(each)) {
        if (extension.extendee.typeName === FIELD_OPTIONS) found.set(extension.number, extension);
      }
    }
    optionsByFile.set(file, (options = found));
  }
  return options;
}

const FIELD_OPTIONS = 'google.protobuf.FieldOptions';

/** A file and all that it imports, directly or not. */
export function withImports(file: DescFile, found = new Set<DescFile>()): Set<DescFile> {
  if (!found.has(file)) {
    found.add(file);
    for (const each of file.dependencies) withImports(each, found);
  }
  return found;
}

/** The extensions that a file or a message declares, in its messages too. */
export function extensionsOf(holder: DescFile | DescMessage): readonly DescExtension[] {
  const inner = holder.kind === 'file' ? holder.messages : holder.nestedMessages;
  const own = holder.kind === 'file' ? holder.extensions : holder.nestedExtensions;
  return [...own, ...inner.flatMap(extensionsOf)];
}

/** Whether the value of an option is, or has in it, an enum value with `debug_redact`. */
function hidesBy(option: FieldLike, valueOf: () => unknown): boolean {
  if (!mayHide(option, new Set())) return false;
  return itemsOf(option, valueOf()).some((item) => {
    if (option.enum !== undefined) {
      return option.enum.value[item as number]?.proto.options?.debugRedact === true;
    }
    return option.message !== undefined && isMessage(item) && hidesInside(option.message, item);
  });
}

function hidesInside(desc: DescMessage, message: Message): boolean {
  return desc.fields.some((field) => hidesBy(field, () => valueIn(message, field)));
}

function itemsOf({ fieldKind }: FieldLike, value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  if (fieldKind === 'list') return value as readonly unknown[];
  return fieldKind === 'map' ? Object.values(value as object) : [value];
}

/** Whether there is such a value that a field can have; options without one need not be read. */
function mayHide(field: FieldLike, seen: Set<DescMessage>): boolean {
  if (field.enum !== undefined) {
    return field.enum.values.some(({ proto }) => proto.options?.debugRedact === true);
  }
  const { message } = field;
  if (message === undefined || seen.has(message)) return false;
  seen.add(message);
  return message.fields.some((inner) => mayHide(inner, seen));
}

/** What error texts have instead of a value that its field does not show. */
export const HIDDEN_PROBLEM =
  'not a valid value, which is not shown because of debug_redact or visible';

/**
 * Returns a reader or writer of a field's value whose errors do not repeat the value, if it is `hidden`: any
 * error is replaced by the one that `fail` throws.
 *
 * @param begin is called before, and its result is passed to `fail`.
 */
export function guarded<A extends readonly unknown[], R, S>(
  hidden: boolean,
  run: (...args: A) => R,
  begin: (...args: A) => S,
  fail: (state: S, ...args: A) => never,
): (...args: A) => R {
  if (!hidden) return run;
  return (...args) => {
    const state = begin(...args);
    try {
      return run(...args);
    } catch {
      return fail(state, ...args);
    }
  };
}
