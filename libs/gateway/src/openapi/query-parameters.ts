import type { ProtoRegistry } from '@apix/proto/core';
import type { DescField, DescMessage } from '@bufbuild/protobuf';
import type { Binding } from '../rules/binding.js';
import { oneofRivals } from '../rules/oneof-rivals.js';
import { isOpen } from '../request/field-path.js';
import { textParserOf } from '../request/text-value.js';
import { descriptionOf } from './comment.js';
import type { Parameter } from './document.js';
import { parameterForm } from './parameter-form.js';
import type { Samples } from './samples/samples.js';
import type { Schemas } from './schemas.js';

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
