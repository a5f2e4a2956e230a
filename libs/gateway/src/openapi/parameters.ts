import type { ProtoRegistry } from '@apix/proto/core';
import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { type Binding, oneofRivals } from '../rules/binding.js';
import { isOpen } from '../request/fields.js';
import { isEmptyMessage, isJsonText, textParserOf } from '../request/text-value.js';
import type { PathTemplate } from '../template/path-template.js';
import { descriptionOf } from './comment.js';
import type { JsonSchema, Parameter } from './document.js';
import type { SampleValue, Samples } from './samples/samples.js';
import type { Schemas } from './schemas.js';
import type { PathParameter } from './paths.js';

/** How deep fields of messages inside messages become parameters. */
const DEEPEST = 3;

/** Every field that a query parameter can set. A message inside itself ends there. */
export function queryParameters(
  binding: Binding,
  schemas: Schemas,
  protos: ProtoRegistry,
  samples: Samples,
): Parameter[] {
  const { body } = binding;
  if (body.kind === 'whole') return [];
  const bound = new Set([
    ...binding.variables.map(({ fields }) => fields.map((field) => field.name).join('.')),
    ...oneofRivals(binding),
  ]);
  if (body.kind === 'field') bound.add(body.field.name);
  const parameters: Parameter[] = [];

  const visit = (desc: DescMessage, above: readonly DescField[], seen: readonly string[]): void => {
    for (const field of desc.fields) {
      const fields = [...above, field];
      if (bound.has(fields.map(({ name }) => name).join('.'))) continue;
      if (textParserOf(field) !== undefined) {
        parameters.push(parameterOf(fields, field, schemas, protos, samples));
      } else if (isOpen(field) && fields.length < DEEPEST) {
        const { typeName } = field.message;
        if (!seen.includes(typeName)) visit(field.message, fields, [...seen, typeName]);
      }
    }
  };
  visit(binding.method.input, [], [binding.method.input.typeName]);
  return parameters;
}

function parameterOf(
  fields: readonly DescField[],
  leaf: DescField,
  schemas: Schemas,
  protos: ProtoRegistry,
  samples: Samples,
): Parameter {
  const isRequired = fields.length === 1 && schemas.isRequired(leaf);
  const example = isRequired ? samples.ofField(leaf) : undefined;
  const { description: _, deprecated: __, readOnly: ___, ...schema } = schemas.ofField(leaf);
  return {
    name: fields.map((field) => schemas.nameOf(field)).join('.'),
    in: 'query',
    ...(isRequired && { required: true as const }),
    ...descriptionOf(protos, leaf),
    ...(leaf.deprecated && { deprecated: true as const }),
    ...parameterForm(leaf, schemas, schema, example),
  };
}

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

/**
 * The sample of a path parameter: the sample of the field that it sets, or the part of it that the
 * parameter represents. If there is neither, the name of the parameter.
 */
export function pathSample(
  { name, variable, whole, index }: PathParameter,
  template: PathTemplate,
  samples: Samples,
): string {
  const leaf = variable?.fields.at(-1);
  const text = leaf === undefined ? undefined : samples.asText(leaf);
  if (variable === undefined || text === undefined || text === '') return name;
  if (whole) return text.includes('/') ? name : text;
  const { start, end } = variable.variable;
  const segments = template.segments.slice(start, end);
  const parts = text.split('/');
  const isOfShape =
    parts.length === segments.length &&
    segments.every((segment, at) => segment.kind !== 'literal' || segment.text === parts[at]);
  return (isOfShape ? parts[index - start] : undefined) ?? name;
}
