import { isRequired } from '@apix/proto/internal';
import {
  type DescField,
  type FileRegistry,
  getExtension,
  hasExtension,
  type Message,
} from '@bufbuild/protobuf';

/** google.api.FieldBehavior. */
const REQUIRED = 2;
const IDENTIFIER = 8;

/** Why a field has to be in every message; undefined if it has not. */
export function alwaysSet(
  field: DescField,
  registry: FileRegistry,
  names: ReadonlySet<DescField>,
): string | undefined {
  const optionIn = (options: Message | undefined, name: string): unknown => {
    const extension = registry.getExtension(name);
    if (options === undefined || extension === undefined) return undefined;
    return hasExtension(options, extension) ? getExtension(options, extension) : undefined;
  };
  if (isRequired(field)) return 'it is required';
  const behaviors = optionIn(field.proto.options, 'google.api.field_behavior');
  if (Array.isArray(behaviors)) {
    if (behaviors.includes(REQUIRED)) return 'its (google.api.field_behavior) is REQUIRED';
    if (behaviors.includes(IDENTIFIER)) return 'its (google.api.field_behavior) is IDENTIFIER';
  }
  if (isSet(optionIn(field.proto.options, 'buf.validate.field'), 'required')) {
    return '(buf.validate.field).required is set';
  }
  const oneof = optionIn(field.oneof?.proto.options, 'buf.validate.oneof');
  if (isSet(oneof, 'required')) return '(buf.validate.oneof).required of its oneof is set';
  const resource = optionIn(field.parent.proto.options, 'google.api.resource');
  if (resource !== undefined && field.name === (textOf(resource, 'nameField') || 'name')) {
    return 'it is the name of a resource';
  }
  return names.has(field) ? 'it names the record of a method' : undefined;
}

function isSet(message: unknown, key: string): boolean {
  return (Object(message) as Record<string, unknown>)[key] === true;
}

function textOf(message: unknown, key: string): string {
  const value = (Object(message) as Record<string, unknown>)[key];
  return typeof value === 'string' ? value : '';
}
