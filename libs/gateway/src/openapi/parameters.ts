import type { ProtoRegistry } from '@apix/proto/core';
import type { JsonSchema } from '@apix/proto/internal';
import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { dottedName, isOpen } from '../request/fields.js';
import { isEmptyMessage, isJsonText, textParserOf } from '../request/text-value.js';
import { type Binding, boundNames, oneofRivals } from '../rules/binding.js';
import type { PathTemplate } from '../template/path-template.js';
import { descriptionOf } from './declarations.js';
import type { Parameter } from './document.js';
import type { PathParameter } from './paths.js';
import type { SampleValue, Samples } from './samples/samples.js';
import type { Schemas } from './schemas.js';

/** The input for parameters. */
export interface ParameterContext {
  readonly protos: ProtoRegistry;
  readonly schemas: Schemas;
  readonly samples: Samples;
}

/** How deep fields of messages inside messages become parameters. */
const DEEPEST = 3;

/** Every field that a query parameter can set. A message inside itself ends there. */
export function queryParameters(binding: Binding, context: ParameterContext): Parameter[] {
  const { body, method } = binding;
  if (body.kind === 'whole') return [];
  const bound = new Set([...boundNames(binding), ...oneofRivals(binding)]);
  if (body.kind === 'field') bound.add(body.field.name);
  const parameters: Parameter[] = [];

  const visit = (desc: DescMessage, above: readonly DescField[], seen: readonly string[]): void => {
    for (const field of desc.fields) {
      const fields = [...above, field];
      if (bound.has(dottedName(fields))) continue;
      if (textParserOf(field) !== undefined) {
        parameters.push(queryParameter(fields, field, context));
      } else if (isOpen(field) && fields.length < DEEPEST) {
        const { typeName } = field.message;
        if (!seen.includes(typeName)) visit(field.message, fields, [...seen, typeName]);
      }
    }
  };
  visit(method.input, [], [method.input.typeName]);
  return parameters;
}

function queryParameter(
  fields: readonly DescField[],
  leaf: DescField,
  { protos, schemas, samples }: ParameterContext,
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

/** Describes a part of a path: the value of a variable, or a segment of it. */
export function pathParameter(
  parameter: PathParameter,
  { template }: Binding,
  { schemas, samples }: ParameterContext,
): Parameter {
  const { name, variable, whole, rest } = parameter;
  const leaf = whole ? variable?.fields.at(-1) : undefined;
  const {
    description,
    deprecated: _,
    readOnly: __,
    ...schema
  } = leaf === undefined ? { type: 'string' } : schemas.ofField(leaf);
  const text = [description, rest ? 'May hold several segments.' : ''].filter(Boolean).join(' ');
  return {
    name,
    in: 'path',
    required: true,
    ...(text !== '' && { description: text }),
    ...(rest && { 'x-several-segments': true as const }),
    ...(leaf !== undefined && isJsonText(leaf.message)
      ? parameterForm(leaf, schemas, schema, samples.ofField(leaf))
      : { schema, example: pathSample(parameter, template, samples) }),
  };
}

/**
 * How a field is written as a parameter. A message without fields is the empty text. One whose JSON may be an
 * object or a list is a JSON text, for else clients write the members of an object as parameters of their own
 * (OpenAPI 3.1, `style: form`).
 *
 * @param schema of the field.
 */
// Why: docs/decisions/0388 and 0451
function parameterForm(
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
  if (field.fieldKind !== 'list') return { content: { 'application/json': form } };
  const contentSchema = schemas.elementOf(field);
  const items = { type: 'string', contentMediaType: 'application/json', contentSchema };
  const texts = Array.isArray(example) ? example.map((one) => JSON.stringify(one)) : undefined;
  return { schema: { ...schema, items }, ...(texts !== undefined && { example: texts }) };
}

/**
 * The sample of a path parameter: the sample of the field that it sets, or the part of it that the
 * parameter represents. If there is neither, the name of the parameter.
 */
function pathSample(
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
