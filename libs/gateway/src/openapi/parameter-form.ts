import type { DescField } from '@bufbuild/protobuf';
import { isEmptyMessage, isJsonText } from '../request/text-value.js';
import type { JsonSchema, Parameter } from './document.js';
import type { SampleValue } from './samples/samples.js';
import type { Schemas } from './schemas.js';

const JSON_MEDIA_TYPE = 'application/json';

/**
 * How a field is written as a parameter. A message without fields is the empty text. One whose JSON may be an object or a list is a JSON text, for else
 * clients write the members of an object as parameters of their own (OpenAPI 3.1, `style: form`).
 *
 * @param schema of the field.
 */
// Why: docs/decisions/0388 and 0451
export function parameterForm(
  field: DescField,
  schemas: Schemas,
  schema: JsonSchema,
  example: SampleValue | undefined,
): Pick<Parameter, 'schema' | 'allowEmptyValue' | 'example' | 'content'> {
  if (isEmptyMessage(field.message)) {
    const empty = { schema: { type: 'string', enum: [''] }, allowEmptyValue: true as const };
    return example === undefined ? empty : { ...empty, example: '' };
  }
  const form = { schema, ...(example !== undefined && { example }) };
  if (!isJsonText(field.message)) return form;
  if (field.fieldKind !== 'list') return { content: { [JSON_MEDIA_TYPE]: form } };
  const contentSchema = schemas.elementOf(field);
  const items = { type: 'string', contentMediaType: JSON_MEDIA_TYPE, contentSchema };
  const texts = Array.isArray(example) ? example.map((one) => JSON.stringify(one)) : undefined;
  return { schema: { ...schema, items }, ...(texts !== undefined && { example: texts }) };
}
