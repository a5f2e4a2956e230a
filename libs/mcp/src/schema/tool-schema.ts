import type { JsonSchema } from '@apix/proto/internal';
import type { ProtoRegistry } from '@apix/proto/core';
import type { DescMessage, DescMethod, JsonObject } from '@bufbuild/protobuf';
import { MessageSchemas } from './message-schemas.js';
import { type SchemaSide, wellKnownForm } from './value-forms.js';

/** The arguments and the answer of a tool, as JSON Schema 2020-12. */
export interface ToolSchema {
  readonly input: JsonObject;
  readonly output: JsonObject;
}

/** The member that holds a message whose JSON is not an object, such as a google.protobuf.Timestamp. */
export const WRAPPED_MEMBER = 'value';

/**
 * Whether arguments or answers of the type are an object with the message as {@link WRAPPED_MEMBER}, because its own
 * JSON is not an object.
 */
export function isWrapped(desc: DescMessage): boolean {
  const form = wellKnownForm(desc, 'output');
  return form !== undefined && form['type'] !== 'object';
}

/** The schemas of a method. An answer of a stream is its last message. */
export function toolSchemaOf({ input, output }: DescMethod, protos: ProtoRegistry): ToolSchema {
  return { input: objectOf(input, 'input', protos), output: objectOf(output, 'output', protos) };
}

function objectOf(desc: DescMessage, side: SchemaSide, protos: ProtoRegistry): JsonObject {
  const schema = new MessageSchemas(protos, side, desc).root();
  return (isWrapped(desc) ? wrapped(schema, side) : schema) as JsonObject;
}

function wrapped(schema: JsonSchema, side: SchemaSide): JsonSchema {
  return {
    type: 'object',
    properties: { [WRAPPED_MEMBER]: schema },
    ...(side === 'input' && { required: [WRAPPED_MEMBER], additionalProperties: false }),
  };
}
