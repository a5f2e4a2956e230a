import type { DescField, DescMessage } from '@bufbuild/protobuf';
import type { CompiledExpression } from '../cel/cel-scope.js';
import { accessOf, type FieldAccess, type FieldValues, fieldValueIn } from './field-access.js';
import type { Masks } from './type-mask.js';

const FIELD_MASK = 'google.protobuf.FieldMask';

/** A mask in a request, and what its paths may be about. */
export interface MaskPlace {
  readonly access: FieldAccess;
  /** The messages next to it, which a mask of an update is about. */
  readonly changed: readonly DescMessage[];
}

/** The masks in requests of a type. */
export interface MaskPlaces {
  readonly desc: DescMessage;
  readonly masks: readonly MaskPlace[];
  readonly holding: readonly { readonly access: FieldAccess; readonly places: MaskPlaces }[];
}

/** A field that a path names, and whether the caller sees it on a condition. */
export interface NamedField {
  readonly field: DescField;
  readonly condition: CompiledExpression | null;
}

/** Where requests of a type have masks; undefined: nowhere. */
export function maskPlaces(
  desc: DescMessage,
  known = new Map<DescMessage, MaskPlaces>(),
): MaskPlaces | undefined {
  return holdsMask(desc, new Set()) ? placesOf(desc, known) : undefined;
}

function holdsMask(desc: DescMessage, seen: Set<DescMessage>): boolean {
  if (seen.has(desc)) return false;
  seen.add(desc);
  return desc.fields.some(
    ({ message }) =>
      message !== undefined && (message.typeName === FIELD_MASK || holdsMask(message, seen)),
  );
}

function placesOf(desc: DescMessage, known: Map<DescMessage, MaskPlaces>): MaskPlaces {
  const before = known.get(desc);
  if (before !== undefined) return before;
  const masks: MaskPlace[] = [];
  const holding: { access: FieldAccess; places: MaskPlaces }[] = [];
  const places: MaskPlaces = { desc, masks, holding };
  known.set(desc, places);
  const changed = typesOfFields(desc).filter(({ typeName }) => typeName !== FIELD_MASK);
  for (const field of desc.fields) {
    const { message } = field;
    if (message === undefined) continue;
    if (message.typeName === FIELD_MASK) masks.push({ access: accessOf(field), changed });
    else if (holdsMask(message, new Set())) {
      holding.push({ access: accessOf(field), places: placesOf(message, known) });
    }
  }
  return places;
}

/** The types of the messages that a message has as fields. */
export function typesOfFields(desc: DescMessage): readonly DescMessage[] {
  return desc.fields.flatMap(({ message }) => message ?? []);
}

/** The first that is found for the paths of the masks in a request; `find` gets each path of a mask once. */
export function findByPaths<T>(
  places: MaskPlaces,
  request: FieldValues,
  find: (path: string, changed: readonly DescMessage[]) => T | undefined,
): T | undefined {
  for (const { access, changed } of places.masks) {
    for (const { paths } of itemsOf(access, request)) {
      if (!Array.isArray(paths)) continue;
      for (const path of new Set<unknown>(paths)) {
        const found = find(String(path), changed);
        if (found !== undefined) return found;
      }
    }
  }
  for (const { access, places: inner } of places.holding) {
    for (const item of itemsOf(access, request)) {
      const found = findByPaths(inner, item, find);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function itemsOf(access: FieldAccess, message: FieldValues): readonly FieldValues[] {
  const typed = message['$typeName'] !== undefined;
  const values = typed
    ? [fieldValueIn(message, access)]
    : [...access.names.map((name) => message[name]), ofCase(access, message)];
  return values.flatMap((value): FieldValues[] => {
    if (typeof value !== 'object' || value === null) return [];
    const items = access.isList || access.isMap ? Object.values(value) : [value];
    return items.filter((item): item is FieldValues => typeof item === 'object' && item !== null);
  });
}

function ofCase({ oneof, name }: FieldAccess, message: FieldValues): unknown {
  const chosen = oneof === undefined ? undefined : (Object(message[oneof]) as FieldValues);
  return chosen?.['case'] === name ? chosen['value'] : undefined;
}

/**
 * Which hidden fields paths of masks are about, for callers for whom the same rules pass. A request may have hundreds of
 * thousands of paths, so what is known of a type is looked up once.
 */
export class HiddenPaths {
  readonly #masks: Masks;
  readonly #fields = new Map<DescMessage, ReadonlyMap<string, DescField>>();
  readonly #within = new Map<DescMessage, readonly NamedField[]>();

  constructor(masks: Masks) {
    this.#masks = masks;
  }

  /**
   * The hidden fields that a path is about.
   *
   * @param isWhole whether a path to a message that holds such fields, or `*`, is about them, too.
   */
  named(steps: readonly string[], desc: DescMessage, isWhole: boolean): readonly NamedField[] {
    let at = desc;
    for (let i = 0; i < steps.length; i++) {
      const step = steps[i]!;
      if (step === '*') break;
      const field = this.#fieldsOf(at).get(step);
      if (field === undefined) return NONE;
      const condition = this.#masks.hides(field);
      if (condition !== undefined) return [{ field, condition }];
      if (field.message === undefined) return NONE;
      at = field.message;
      // A key of a map, or each of its values; the items of a list may have a `*` as well.
      if (field.fieldKind === 'map' || (field.fieldKind === 'list' && steps[i + 1] === '*')) i++;
    }
    return isWhole ? this.#allIn(at) : NONE;
  }

  /** By each of the names that a path may have for them. */
  #fieldsOf(desc: DescMessage): ReadonlyMap<string, DescField> {
    const known = this.#fields.get(desc);
    if (known !== undefined) return known;
    const fields = new Map<string, DescField>();
    for (const field of desc.fields) {
      for (const name of accessOf(field).names) if (!fields.has(name)) fields.set(name, field);
    }
    this.#fields.set(desc, fields);
    return fields;
  }

  #allIn(desc: DescMessage): readonly NamedField[] {
    let all = this.#within.get(desc);
    if (all === undefined) this.#within.set(desc, (all = hiddenIn(desc, this.#masks, new Set())));
    return all;
  }
}

const NONE: readonly NamedField[] = [];

/** The names between dots of a path; a key of a map may be in backticks and have dots. */
export function stepsOf(path: string): readonly string[] {
  return path.match(/`[^`]*`|[^.]+/g) ?? [];
}

function hiddenIn(desc: DescMessage, masks: Masks, seen: Set<DescMessage>): readonly NamedField[] {
  if (seen.has(desc)) return [];
  seen.add(desc);
  return desc.fields.flatMap((field): readonly NamedField[] => {
    const condition = masks.hides(field);
    if (condition !== undefined) return [{ field, condition }];
    return field.message === undefined ? [] : hiddenIn(field.message, masks, seen);
  });
}
