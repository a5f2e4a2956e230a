import type { FieldValue } from '../value/field-value.js';
import { dotnetFormat } from './dotnet-format.js';
import { goFormat } from './go-format.js';

/** Makes the text of a value for the message; undefined where the format does not suit it. */
export type ValueFormat = (value: FieldValue) => string | undefined;

/**
 * The format that a specifier stands for, in Go's style or .NET's; undefined for one that nobody
 * knows. What both know, a single letter, is Go's.
 */
export function valueFormat(specifier: string): ValueFormat | undefined {
  return goFormat(specifier) ?? dotnetFormat(specifier);
}
