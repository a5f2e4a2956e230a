import type { FieldStyle } from '../event/scope.js';
import { quoteJson } from '../value/json-text.js';
import { type Fragment, fragmentOf } from './line-buffer.js';

/** As of templates: a program has few names, and those made at run time must not pile up. */
const MAX_KEYS = 1_000;
const MAX_KEY_LENGTH = 128;

/** What stands before the values of fields, prepared once for a name. */
export function fieldKeys(style: FieldStyle): (field: string) => Fragment {
  const known = new Map<string, Fragment>();
  return (field) => {
    let key = known.get(field);
    if (key !== undefined) return key;
    key = fragmentOf(`,${quoteJson(style.rename(field))}:`);
    if (field.length > MAX_KEY_LENGTH) return key;
    if (known.size >= MAX_KEYS) known.clear();
    known.set(field, key);
    return key;
  };
}
