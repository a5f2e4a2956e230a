import { bodyReader } from './body-reader.js';
import type { MessageField } from '../wire-type.js';
import type { WireFieldReader, FillerOf } from './reader.js';

/** Reads the message of a singular field, into the one that is there already if there is. */
export function childReader(field: MessageField, fillerOf: FillerOf): WireFieldReader {
  const { localName } = field;
  const read = bodyReader(field, fillerOf);
  if (field.oneof === undefined) {
    // `has_own_property` for one: what every object inherits is not what the message has.
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
