import { PROBLEM_MEDIA_TYPE, problemOf } from '@apix/calls';
import type { StatusError } from '@apix/contracts';
import type { ErrorFormat } from '../options.js';
import type { JsonSchema } from '@apix/proto/internal';

const DETAILS: JsonSchema = {
  type: 'array',
  items: { type: 'object', properties: { '@type': { type: 'string' } } },
};

const PROBLEM: JsonSchema = {
  type: 'object',
  description: 'A problem document (RFC 9457).',
  properties: {
    type: { type: 'string', format: 'uri-reference' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', description: 'Canonical gRPC code, such as NOT_FOUND.' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          field: { type: 'string' },
          detail: { type: 'string' },
          reason: { type: 'string' },
        },
        required: ['field', 'detail'],
      },
    },
    details: DETAILS,
  },
  required: ['type', 'title', 'status', 'detail', 'code'],
};

const STATUS: JsonSchema = {
  type: 'object',
  description: 'google.rpc.Status.',
  properties: { code: { type: 'integer' }, message: { type: 'string' }, details: DETAILS },
  required: ['code', 'message', 'details'],
};

/** How errors look, for a document. */
export interface ErrorDescription {
  readonly name: string;
  readonly schema: JsonSchema;
  /** A response with that body, and an error as its example. */
  response(description: string, example: StatusError): JsonSchema;
}

export function describeErrors(format: ErrorFormat): ErrorDescription {
  const isProblem = format === 'problem';
  const name = isProblem ? 'Problem' : 'Status';
  const mediaType = isProblem ? PROBLEM_MEDIA_TYPE : 'application/json';
  return {
    name,
    schema: isProblem ? PROBLEM : STATUS,
    response: (description, example) => ({
      description,
      content: {
        [mediaType]: {
          schema: { $ref: `#/components/schemas/${name}` },
          example: isProblem ? problemOf(example) : statusOf(example),
        },
      },
    }),
  };
}

function statusOf({ code, message }: StatusError): object {
  return { code, message, details: [] };
}
