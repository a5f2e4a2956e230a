import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { MessageMembers } from '../../message/message-shape.js';
import { setOwn } from '../../values/holder-value.js';
import { skipField } from '../skip-field.js';
import { WireProblem, MAX_DEPTH, tooDeep } from '../wire-error.js';
import type { WireSource } from '../wire-source.js';

/** Tags of google.protobuf.Struct, of the entries of its map, of ListValue and of Value. */
const STRUCT_ENTRY = 0o12;
const ENTRY_KEY = 0o12;
const ENTRY_VALUE = 0o22;
const LIST_ITEM = 0o12;
const NULL_VALUE = 0o10;
const NUMBER_VALUE = 0o21;
const STRING_VALUE = 0o32;
const BOOL_VALUE = 0o40;
const STRUCT_VALUE = 0o52;
const LIST_VALUE = 0o62;
const END_GROUP = 4;

/**
 * Reads a google.protobuf.Struct into a JSON object, without a message between: one that comes in
 * many parts would be made a message and JSON again for each. Parts merge as messages do.
 *
 * @param endTag the tag that ends a group; 0 where the source's end is the end
 */
export function readStruct(
  source: WireSource,
  into: MessageMembers,
  depth: number,
  endTag: number,
): void {
  if (depth > MAX_DEPTH) throw tooDeep();
  while (source.at < source.end) {
    const tag = source.tag();
    if (tag === STRUCT_ENTRY) inBody(source, () => readEntry(source, into, depth));
    else if (tag === endTag) return;
    else skipUnknown(source, tag, 1, depth);
  }
  if (endTag !== 0) throw new WireProblem('a group without its end');
}

function readEntry(source: WireSource, into: MessageMembers, depth: number): void {
  let key = '';
  let value: JsonValue = null;
  while (source.at < source.end) {
    const tag = source.tag();
    if (tag === ENTRY_KEY) key = source.string(true);
    else if (tag === ENTRY_VALUE) {
      const before: JsonValue = value;
      value = inBody(source, () => readValue(source, before, depth + 1));
    } else skipUnknown(source, tag, 2, depth);
  }
  setOwn(into, key, value);
}

/** Reads a google.protobuf.Value; one of no kind is null. */
function readValue(source: WireSource, before: JsonValue, depth: number): JsonValue {
  if (depth > MAX_DEPTH) throw tooDeep();
  let value = before;
  while (source.at < source.end) {
    const tag = source.tag();
    switch (tag) {
      case NULL_VALUE:
        source.int32();
        value = null;
        break;
      case NUMBER_VALUE:
        value = source.double();
        break;
      case STRING_VALUE:
        value = source.string(true);
        break;
      case BOOL_VALUE:
        value = source.bool();
        break;
      case STRUCT_VALUE: {
        const json: JsonObject = isObject(value) ? value : {};
        inBody(source, () => readStruct(source, json, depth + 1, 0));
        value = json;
        break;
      }
      case LIST_VALUE: {
        const items: JsonValue[] = Array.isArray(value) ? value : [];
        inBody(source, () => readItems(source, items, depth + 1));
        value = items;
        break;
      }
      default:
        skipUnknown(source, tag, 6, depth);
    }
  }
  return value;
}

function readItems(source: WireSource, into: JsonValue[], depth: number): void {
  if (depth > MAX_DEPTH) throw tooDeep();
  while (source.at < source.end) {
    const tag = source.tag();
    if (tag === LIST_ITEM) into.push(inBody(source, () => readValue(source, null, depth + 1)));
    else skipUnknown(source, tag, 1, depth);
  }
}

/** Reads the bytes after a length, and no further. */
function inBody<T>(source: WireSource, read: () => T): T {
  const outer = source.enter();
  const result = read();
  source.end = outer;
  return result;
}

/** Passes a field that the type does not have; its own are numbered from 1. */
function skipUnknown(source: WireSource, tag: number, ownFields: number, depth: number): void {
  if (tag >>> 3 <= ownFields && (tag & 7) !== END_GROUP) {
    throw new WireProblem(`field ${tag >>> 3} of a Struct has wire type ${tag & 7}`);
  }
  skipField(source, tag, MAX_DEPTH - depth);
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
