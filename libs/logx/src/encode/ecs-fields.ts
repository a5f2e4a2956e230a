import { bareObject } from '../value/bare-object.js';
import type { FieldValue } from '../value/field-value.js';
import { jsonOf } from '../value/json-text.js';
import { hasOddNames, isScalar, MAX_DEPTH, fieldPath } from './ecs-names.js';

/** What is at a place of a document: a value, or an object with what is in it. */
type DocumentPlace = 'value' | Objects;
type Objects = Map<string, DocumentPlace>;

/** A field, or a member of an object, on its way into a document. */
interface PlacedField {
  readonly path: string[];
  readonly value: FieldValue;
  /** Undefined for null, which may be anywhere. */
  readonly node: DocumentPlace | undefined;
  readonly isChanged: boolean;
  readonly depth: number;
}

/**
 * Fields as Elasticsearch takes them: with names that it accepts, and none of them a value where another one
 * needs an object. The value gets an underscore.
 *
 * @param fixed names of further fields of the document, which keep their place.
 */
// Why: docs/decisions/0250
export function acceptedFields(
  fields: ReadonlyMap<string, FieldValue>,
  fixed: Iterable<string>,
): ReadonlyMap<string, FieldValue> {
  const objects: Objects = new Map();
  for (const name of fixed) insert(objects, name.split('.'), 'value');
  return placed(fields, objects, MAX_DEPTH, true);
}

/** The value with names that Elasticsearch accepts; the value itself if it has no others. */
export function acceptedValue(value: FieldValue, left = MAX_DEPTH - 1): FieldValue {
  return hasOddNames(value, left) ? changedValue(value, left) : value;
}

function changedValue(value: FieldValue, left: number): FieldValue {
  if (isScalar(value)) return value;
  if (Array.isArray(value)) return value.map((item: FieldValue) => changedValue(item, left));
  if (left < 1) return jsonOf(value);
  const members = bareObject<FieldValue>();
  const given = new Map<string, FieldValue>(Object.entries(value as object));
  for (const [name, member] of placed(given, new Map(), left, false)) members[name] = member;
  return members;
}

/** @param objects what is there already. */
function placed(
  fields: ReadonlyMap<string, FieldValue>,
  objects: Objects,
  left: number,
  isRoot: boolean,
): ReadonlyMap<string, FieldValue> {
  const entries = [...fields].map(([name, value]) => entryOf(name, value, left, isRoot));
  // Names that stay come first, and objects before the values that may be in their way.
  const byWeight = entries.toSorted(
    (a, b) => Number(a.isChanged) - Number(b.isChanged) || b.depth - a.depth,
  );
  const names = new Set<string>();
  const wrongPart = (path: readonly string[], node: DocumentPlace | undefined): number =>
    names.has(path.join('.')) ? path.length - 1 : clash(objects, path, node);
  const others = new OtherNames();
  for (const { path, node } of byWeight) {
    const given = [...path];
    for (let at = wrongPart(path, node); at >= 0; at = wrongPart(path, node)) {
      path[at] = others.next(path.slice(0, at).join('.'), given[at]!, path[at]!);
    }
    names.add(path.join('.'));
    if (node !== undefined) insert(objects, path, node);
  }
  return new Map(entries.map(({ path, value }) => [path.join('.'), value]));
}

/**
 * Other names for those that are taken: `a_`, `a__`, `a_3`. A caller may send thousands of names that all become
 * one, so that the search goes on where it ended.
 */
class OtherNames {
  readonly #counts = new Map<string, number>();

  /** @param last the name in that object that was tried last. */
  next(object: string, given: string, last: string): string {
    const key = `${object}.${given}`;
    const known = this.#counts.get(key) ?? 0;
    const isTried = known === 0 || last === numbered(given, known);
    const count = isTried ? known + 1 : known;
    this.#counts.set(key, count);
    return numbered(given, count);
  }
}

function numbered(name: string, count: number): string {
  return name + (count < 3 ? '_'.repeat(count) : `_${count}`);
}

function entryOf(name: string, given: FieldValue, left: number, isRoot: boolean): PlacedField {
  const path = fieldPath(name, left, isRoot);
  const value = acceptedValue(given, left - path.length);
  const node = nodeOf(value);
  const depth = path.length + depthOf(node);
  return { path, value, node, isChanged: path.join('.') !== name, depth };
}

function nodeOf(value: FieldValue): DocumentPlace | undefined {
  if (value === null) return undefined;
  if (isScalar(value)) return 'value';
  if (Array.isArray(value)) {
    const items = value as readonly FieldValue[];
    return items
      .map(nodeOf)
      .reduce(
        (all, one) => (isMap(all) && isMap(one) ? merged(all, one) : (all ?? one)),
        undefined,
      );
  }
  const objects: Objects = new Map();
  for (const [name, member] of Object.entries(value as Readonly<Record<string, FieldValue>>)) {
    const node = nodeOf(member);
    if (node !== undefined) insert(objects, name.split('.'), node);
  }
  return objects;
}

function isMap(node: DocumentPlace | undefined): node is Objects {
  return typeof node === 'object';
}

/** The index of the part of a path that clashes with what is there; -1 if none does. */
function clash(objects: Objects, path: readonly string[], node: DocumentPlace | undefined): number {
  let at = objects;
  for (let i = 0; i < path.length - 1; i++) {
    const next = at.get(path[i]!);
    if (next === undefined) return -1;
    if (next === 'value') return i;
    at = next;
  }
  const last = at.get(path.at(-1)!);
  return last === undefined || node === undefined || fits(last, node) ? -1 : path.length - 1;
}

function fits(there: DocumentPlace, node: DocumentPlace): boolean {
  if (there === 'value' || node === 'value') return there === node;
  return [...node].every(([name, inner]) => {
    const other = there.get(name);
    return other === undefined || fits(other, inner);
  });
}

function insert(objects: Objects, path: readonly string[], node: DocumentPlace): void {
  let at = objects;
  for (const name of path.slice(0, -1)) {
    const next = at.get(name);
    // A list may have both at one place; that is a matter of its values.
    if (next === 'value') return;
    const inner: Objects = next ?? new Map<string, DocumentPlace>();
    at.set(name, inner);
    at = inner;
  }
  const name = path.at(-1)!;
  const there = at.get(name);
  if (there === undefined) at.set(name, node);
  else if (isMap(there) && isMap(node)) merged(there, node);
}

function merged(there: Objects, node: Objects): Objects {
  for (const [name, inner] of node) insert(there, [name], inner);
  return there;
}

function depthOf(node: DocumentPlace | undefined): number {
  if (!isMap(node)) return 0;
  return 1 + Math.max(0, ...[...node.values()].map(depthOf));
}
