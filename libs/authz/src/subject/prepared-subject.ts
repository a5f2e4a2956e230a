import { types } from 'node:util';
import { noSubject } from '../errors.js';
import type { Subject } from './subject.js';

const { isProxy } = types;

/** Made by `prepareSubject` and by nothing else. */
const prepared = new WeakSet<object>();

/**
 * A copy of a subject that is checked here once instead of at each decision, and cannot change: for a caller about
 * whom many decisions are made, such as that of a session or a connection. The lists of roles and permissions are
 * copied and frozen; its `claims`, which no rule looks at, are the same object. A prepared subject is returned as it
 * is.
 *
 * @throws TypeError for a value that is neither a subject nor null.
 */
// Why: docs/decisions/0375
export function prepareSubject<S extends Subject | null>(subject: S): S {
  if (subject === null || isPrepared(subject)) return subject;
  // Copied before it is checked: a getter may return something else when it is called again.
  const copy: Partial<Subject> = isProxy(subject) ? {} : { ...subject };
  const roles = frozenTexts(copy.roles);
  const permissions = frozenTexts(copy.permissions);
  if (roles === undefined || permissions === undefined) throw noSubject('prepareSubject()');
  const checked = Object.freeze(Object.assign(copy, { roles, permissions }));
  prepared.add(checked);
  return checked as S;
}

/** Whether `prepareSubject` has made an object; a proxy of one was not made by it. */
export function isPrepared(value: object): boolean {
  return prepared.has(value);
}

/** Undefined for what is not a list of strings. */
function frozenTexts(list: unknown): readonly string[] | undefined {
  if (!Array.isArray(list) || isProxy(list)) return undefined;
  const texts: string[] = [];
  // By index, because an array may have an own iterator.
  const { length } = list;
  for (let i = 0; i < length; i++) {
    const text: unknown = list[i];
    if (typeof text !== 'string') return undefined;
    texts.push(text);
  }
  return Object.freeze(texts);
}
