import type { PolicySource } from '@apix/contracts';
import type { ProtoRegistry } from '@apix/proto/core';
import { isHttpBody } from '../request/body.js';
import type { Binding } from '../rules/binding.js';
import { summaryOf } from './comment.js';
import type { JsonSchema, Operation, Parameter } from './document.js';
import type { ErrorDescription } from './errors.js';
import type { OpenApiPath, PathParameter } from './paths.js';
import { queryParameters } from './query-parameters.js';
import type { Schemas } from './schemas.js';

/** What operations are written from. */
export interface OperationContext {
  readonly protos: ProtoRegistry;
  readonly schemas: Schemas;
  readonly errors: ErrorDescription;
  readonly policies: PolicySource | undefined;
}

/** Name of the security scheme of methods that are not public. */
export const BEARER = 'bearer';

/** Describes a binding as an operation. */
export function operationOf(
  binding: Binding,
  operationId: string,
  { parameters }: OpenApiPath,
  context: OperationContext,
): Operation {
  const { method } = binding;
  const { protos, schemas, policies } = context;
  const guarded = policies?.policyOf(binding.fullName)?.kind === 'protected';
  const all = [
    ...parameters.map((parameter) => pathParameter(parameter, schemas)),
    ...queryParameters(binding, schemas, protos),
  ];
  const requestBody = requestBodyOf(binding, schemas);
  return {
    operationId,
    tags: [method.parent.name],
    ...summaryOf(protos, method),
    ...((method.deprecated || method.parent.deprecated) && { deprecated: true as const }),
    ...(all.length > 0 && { parameters: all }),
    ...(requestBody !== undefined && { requestBody }),
    responses: {
      '200': { description: 'OK', content: responseContent(binding, schemas) },
      ...(guarded && {
        '401': context.errors.response('The caller is not known.'),
        '403': context.errors.response('The caller lacks a role or permission.'),
      }),
      default: context.errors.response('An error.'),
    },
    ...(guarded && { security: [{ [BEARER]: [] }] }),
  };
}

function pathParameter(
  { name, variable, whole, rest }: PathParameter,
  schemas: Schemas,
): Parameter {
  const leaf = variable?.fields.at(-1);
  const {
    description,
    deprecated: _,
    readOnly: __,
    ...schema
  } = whole && leaf !== undefined ? schemas.ofField(leaf) : { type: 'string' };
  const text = [description, rest ? 'May hold several segments.' : ''].filter(Boolean).join(' ');
  return {
    name,
    in: 'path',
    required: true,
    ...(text !== '' && { description: text }),
    schema,
  };
}

function requestBodyOf(
  { body, method, variables }: Binding,
  schemas: Schemas,
): JsonSchema | undefined {
  if (body.kind === 'none') return undefined;
  const desc = body.kind === 'whole' ? method.input : body.field.message;
  if (isHttpBody(desc)) return { content: { '*/*': {} } };
  if (body.kind === 'field') return json(schemas.ofField(body.field));
  const inPath = new Set(variables.flatMap(({ fields }) => (fields.length === 1 ? fields : [])));
  const rest = method.input.fields.filter((field) => !inPath.has(field));
  return json(
    inPath.size === 0 ? schemas.ofMessage(method.input) : schemas.objectOf(method.input, rest),
  );
}

function responseContent({ method, responseField }: Binding, schemas: Schemas): JsonSchema {
  const desc = responseField === undefined ? method.output : responseField.message;
  if (isHttpBody(desc)) return { '*/*': {} };
  const schema =
    responseField === undefined ? schemas.ofMessage(method.output) : schemas.ofField(responseField);
  if (method.methodKind === 'unary') return { 'application/json': { schema } };
  return {
    'application/x-ndjson': { schema: { type: 'object', properties: { result: schema } } },
    'text/event-stream': { schema },
  };
}

function json(schema: JsonSchema): JsonSchema {
  return { required: true, content: { 'application/json': { schema } } };
}
