import { Prepared } from '../template/prepared.js';
import type { FieldValue } from '../value/field-value.js';
import { isBytes } from '../value/field-value.js';
import type { Shape } from '../value/shape.js';
import { isList, isNested, TakenMembers, type TakenValue } from '../value/taken-value.js';

/** Objects within objects, the field included (Elasticsearch, index.mapping.depth.limit). */
export const MAX_DEPTH = 20;
/** Longer names exceed the length of a term, in which Elasticsearch keeps names of fields. */
const MAX_LENGTH = 512;

/** Fields of Elasticsearch's own, which a document must not have. */
const METADATA =
  /^_(?:id|index|source|type|routing|ignored|ignored_source|field_names|nested_path|version|seq_no|primary_term|doc_count|tier|size|tsid|ts_routing_hash|data_stream_timestamp|inference_fields)(?=_*(?:\.|$))/;

/** Blank in Java, the language of Elasticsearch, where some characters below the space are; here all of them. */
const BLANK = /^(?:\s|[^!-\uffff])*$/;

/**
 * Whether Elasticsearch refuses a field of this name or reads it as objects, one in the other, which another
 * field may contradict.
 */
export function isOddName(name: string): boolean {
  return isOddMember(name) || METADATA.test(name);
}

function isOddMember(name: string): boolean {
  return name.includes('.') || name.length > MAX_LENGTH || BLANK.test(name);
}

const isOddShape = Prepared.by((shape: Shape): boolean => shape.names.some(isOddMember));

/** Whether an object in the value has such a name, or too many objects are in one another. */
export function hasOddNames(value: TakenValue, left = MAX_DEPTH - 1): boolean {
  if (typeof value !== 'object' || value === null || !isNested(value)) return false;
  if (isList(value)) {
    for (let i = 0; i < value.length; i++) if (hasOddNames(value[i]!, left)) return true;
    return false;
  }
  if (left < 1) return true;
  const isShort = value instanceof TakenMembers;
  const names = isShort ? value.names : Object.keys(value);
  const shape = isShort ? value.shape : undefined;
  if (shape === undefined ? names.some(isOddMember) : isOddShape(shape)) return true;
  const values: readonly TakenValue[] = isShort ? value.values : Object.values(value);
  for (let i = 0; i < values.length; i++) if (hasOddNames(values[i]!, left - 1)) return true;
  return false;
}

/**
 * The names of the objects in which a field of this name is, as Elasticsearch reads it, and its own. A part that
 * it refuses becomes `_`, the name of a field of its own gets an underscore.
 *
 * @param left how many there may be.
 */
export function fieldPath(name: string, left: number, isRoot: boolean): string[] {
  const parts = (isRoot ? name.replace(METADATA, '$&_') : name).split('.');
  const path =
    parts.length > left ? [...parts.slice(0, left - 1), parts.slice(left - 1).join('_')] : parts;
  return path.map((part) => {
    if (BLANK.test(part)) return '_';
    return part.length > MAX_LENGTH ? `${part.slice(0, MAX_LENGTH)}…` : part;
  });
}

/** Whether Elasticsearch reads the value as an object, or a list of them. */
export function isScalar(value: FieldValue): boolean {
  return typeof value !== 'object' || value === null || isBytes(value);
}
