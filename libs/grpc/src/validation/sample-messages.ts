import type { DescField, DescMessage, Message } from '@bufbuild/protobuf';
import { type ReflectMessage, reflect, scalarZeroValue } from '@bufbuild/protobuf/reflect';
import { AnySchema } from '@bufbuild/protobuf/wkt';

/**
 * Messages that reach every rule of a type: the empty one, and ones in which each field is set,
 * lists and maps to one element, and of each oneof one member after the other. A google.protobuf.Any
 * is left out: no rule can be evaluated on an empty one, and what a caller puts in is not known.
 */
export function sampleMessages(desc: DescMessage): readonly Message[] {
  const most = Math.max(1, ...desc.oneofs.map(({ fields }) => fields.length));
  const filled = Array.from({ length: most }, (_, turn) => {
    const message = reflect(desc);
    for (const member of desc.members) {
      if (member.kind === 'field') fill(message, member);
      else fill(message, member.fields[turn % member.fields.length]!);
    }
    return message.message;
  });
  return [reflect(desc).message, ...filled];
}

function fill(message: ReflectMessage, field: DescField): void {
  if (field.message?.typeName === AnySchema.typeName) return;
  switch (field.fieldKind) {
    case 'scalar':
      message.set(field, scalarZeroValue(field.scalar, false));
      break;
    case 'enum':
      message.set(field, field.enum.values[0]!.number);
      break;
    case 'message':
      message.set(field, reflect(field.message));
      break;
    case 'list':
      message.get(field).add(elementOf(field));
      break;
    case 'map': {
      const key = scalarZeroValue(field.mapKey, false) as string;
      message.get(field).set(key, elementOf(field));
      break;
    }
  }
}

function elementOf(field: DescField & { readonly fieldKind: 'list' | 'map' }): unknown {
  if (field.message !== undefined) return reflect(field.message);
  if (field.enum !== undefined) return field.enum.values[0]!.number;
  return scalarZeroValue(field.scalar, false);
}
