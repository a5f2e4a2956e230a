import type { DescExtension, DescField } from '@bufbuild/protobuf';
import { isNullValue } from './enums.js';

/** Whether `null` is a value of the field, rather than leaving it unset. */
export function isNullable(field: DescField | DescExtension): boolean {
  return field.message?.typeName === 'google.protobuf.Value' || isNullValue(field.enum);
}
