import { WireType } from '@bufbuild/protobuf/wire';
import { localForm } from '../../values/local-form.js';
import { type MessageMembers, MessageShape } from '../../message/message-shape.js';
import { type MessageField, isGroup, tagOf } from '../wire-type.js';
import type { WireSource } from '../wire-source.js';
import type { FillerOf, MessageFiller, WireFieldReader } from './reader.js';
import { readStruct } from './struct-reader.js';

/**
 * Reads a message of a field, without its tag, and returns the value that the field keeps.
 *
 * @param kept what the field has of it so far; the two are merged
 */
export type ChildReader = (source: WireSource, depth: number, kept: unknown) => unknown;

/** Reads the messages of a field. The reader of their fields is created for the first one. */
export function bodyReader(field: MessageField, fillerOf: FillerOf): ChildReader {
  const form = localForm(field);
  if (form === 'struct') return structReader(field);
  const shape = MessageShape.of(field.message);
  let filler: MessageFiller | undefined;
  const fill = filling(field, () => (filler ??= fillerOf(field.message)));
  if (form === 'wrapper') {
    return (source, depth, kept) => {
      const wrapper = shape.empty();
      if (kept !== undefined) wrapper['value'] = kept;
      fill(source, wrapper, depth + 1);
      return wrapper['value'];
    };
  }
  if (isGroup(field)) {
    return (source, depth, kept) => {
      const message = kept === undefined ? shape.empty() : (kept as MessageMembers);
      fill(source, message, depth + 1);
      return message;
    };
  }
  return (source, depth, kept) => {
    const message = kept === undefined ? shape.empty() : (kept as MessageMembers);
    const outer = source.enter();
    (filler ??= fillerOf(field.message)).read(source, message, depth + 1, 0);
    source.end = outer;
    return message;
  };
}

function structReader(field: MessageField): ChildReader {
  const fill = filling(field, () => STRUCT);
  return (source, depth, kept) => {
    const json = (kept ?? {}) as MessageMembers;
    fill(source, json, depth + 1);
    return json;
  };
}

const STRUCT: MessageFiller = { read: readStruct };

/** Reads no further than the message goes: to its end tag, or as far as its length says. */
function filling(
  field: MessageField,
  filler: () => MessageFiller,
): (source: WireSource, into: MessageMembers, depth: number) => void {
  if (isGroup(field)) {
    const endTag = tagOf(field.number, WireType.EndGroup);
    return (source, into, depth) => filler().read(source, into, depth, endTag);
  }
  return (source, into, depth) => {
    const outer = source.enter();
    filler().read(source, into, depth, 0);
    source.end = outer;
  };
}

/** Reads the message of a singular field, into the existing one if there is one. */
export function childReader(field: MessageField, fillerOf: FillerOf): WireFieldReader {
  const { localName } = field;
  const read = bodyReader(field, fillerOf);
  if (field.oneof === undefined) {
    // Such as `has_own_property`: a member that every object inherits is not a field of the message.
    if (localName in Object.prototype) {
      return (source, message, depth) => {
        const kept = Object.hasOwn(message, localName) ? message[localName] : undefined;
        message[localName] = read(source, depth, kept);
      };
    }
    return (source, message, depth) => {
      message[localName] = read(source, depth, message[localName]);
    };
  }
  const oneof = field.oneof.localName;
  return (source, message, depth) => {
    const selected = message[oneof] as { readonly case?: string; readonly value?: unknown };
    const kept = selected.case === localName ? selected.value : undefined;
    message[oneof] = { case: localName, value: read(source, depth, kept) };
  };
}
