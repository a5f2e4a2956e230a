import { onceForText } from '@apix/contracts/internal';
import type { FieldStyle } from '../event/scope.js';
import { quoteJson } from '../value/json-text.js';
import { type Fragment, fragmentOf } from './line-buffer.js';

/** The text before a field's value, prepared once for each name. */
export function fieldKeys(style: FieldStyle): (field: string) => Fragment {
  return onceForText((field) => fragmentOf(`,${quoteJson(style.rename(field))}:`));
}
