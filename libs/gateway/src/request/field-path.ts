import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { hasCustomJsonRepresentation } from '@bufbuild/protobuf/wkt';

/** A field path that was followed as far as it goes. */
export interface FollowedPath {
  readonly fields: readonly DescField[];
  /** The reason why it stopped; undefined if every name was found. */
  readonly problem?: string;
}

const NAMES = new WeakMap<DescMessage, ReadonlyMap<string, DescField>>();

/** A message's field by its name in the .proto file or by its JSON name. */
export function fieldNamed(desc: DescMessage, name: string): DescField | undefined {
  let names = NAMES.get(desc);
  if (names === undefined) {
    const byJsonName = desc.fields.map((field) => [field.jsonName, field] as const);
    names = new Map([...byJsonName, ...desc.fields.map((field) => [field.name, field] as const)]);
    NAMES.set(desc, names);
  }
  return names.get(name);
}

/**
 * Follows a path of field names down from a message, through singular message fields only, and not into
 * messages such as Timestamp or Any: in JSON they are one value, and their fields have no JSON form.
 */
export function followPath(desc: DescMessage, names: readonly string[]): FollowedPath {
  const fields: DescField[] = [];
  let current: DescMessage | undefined = desc;
  for (const name of names) {
    const parent: DescField | undefined = fields.at(-1);
    if (current === undefined) {
      return { fields, problem: `${parent?.name} is ${describe(parent)} and has no fields` };
    }
    const field: DescField | undefined = fieldNamed(current, name);
    if (field === undefined) {
      return { fields, problem: `${current.typeName} has no field ${JSON.stringify(name)}` };
    }
    fields.push(field);
    current = isOpen(field) ? field.message : undefined;
  }
  return { fields };
}

/** Whether the fields of a message field can be named one by one. */
export function isOpen(field: DescField): field is DescField & { fieldKind: 'message' } {
  return field.fieldKind === 'message' && !hasCustomJsonRepresentation(field.message);
}

function describe(field: DescField | undefined): string {
  if (field?.fieldKind === 'list') return 'a repeated field';
  if (field?.fieldKind === 'map') return 'a map';
  return field?.fieldKind === 'message' ? `one ${field.message.typeName}` : 'not a message';
}
