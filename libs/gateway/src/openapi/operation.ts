import { Code, type PolicySource, StatusError } from '@apix/contracts';
import type { JsonSchema } from '@apix/proto/internal';
import type { DescMethod } from '@bufbuild/protobuf';
import { isHttpBody } from '../request/body.js';
import { type Binding, boundNames, namesBelow, oneofRivals } from '../rules/binding.js';
import { needsOf } from './audience.js';
import { summaryOf } from './declarations.js';
import type { CodeSample, Operation } from './document.js';
import type { ErrorDescription } from './errors.js';
import { type OtherProtocols, codeSamplesOf, otherProtocolsOf } from './other-protocols.js';
import { type ParameterContext, pathParameter, queryParameters } from './parameters.js';
import type { OpenApiPath } from './paths.js';
import { sampleBody } from './samples/sample-calls.js';
import { type SampleCheck, isSampleTaken } from './samples/sample-request.js';
import type { SampleValue, Samples } from './samples/samples.js';

// The errors of a method in its examples.
const NO_TOKEN = new StatusError(Code.UNAUTHENTICATED, 'a token is required');
const NOT_ALLOWED = new StatusError(Code.PERMISSION_DENIED, 'permission denied');
const NOT_FOUND = new StatusError(Code.NOT_FOUND, 'not found');

/** The input for operations. */
export interface OperationContext extends ParameterContext {
  /** Of responses. */
  readonly answers: Samples;
  readonly errors: ErrorDescription;
  readonly policies: PolicySource | undefined;
  /** Who may call a method in words, by its full name. */
  readonly whoMayCall: ReadonlyMap<string, string>;
  readonly accepts: SampleCheck | undefined;
  readonly others: OtherProtocols | undefined;
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
  const { protos, policies, accepts, others } = context;
  const policy = policies?.policyOf(binding.fullName);
  const guarded = policy?.kind === 'protected';
  const all = [
    ...parameters.map((parameter) => pathParameter(parameter, binding, context)),
    ...queryParameters(binding, context),
  ];
  const isTaken = (body: SampleValue): boolean =>
    isSampleTaken({ binding, places: parameters, parameters: all, body }, context.protos, accepts);
  const requestBody = requestBodyOf(binding, context, isTaken);
  const summary = summaryOf(protos, method);
  const description = [summary.description, others && otherProtocolsOf(method, others)]
    .filter((part) => part !== undefined)
    .join('\n\n');
  const who = context.whoMayCall.get(binding.fullName);
  const codeSamples = samplesOfOthers(method, guarded, context);
  return {
    operationId,
    tags: [method.parent.name],
    ...summary,
    ...(description !== '' && { description }),
    ...((method.deprecated || method.parent.deprecated) && { deprecated: true as const }),
    ...(all.length > 0 && { parameters: all }),
    ...(requestBody !== undefined && { requestBody }),
    responses: {
      '200': { description: 'OK', content: responseContent(binding, context) },
      ...(guarded && {
        '401': context.errors.response('The caller is not known.', NO_TOKEN),
        '403': context.errors.response(
          `The caller lacks a role or permission${needsOf(policy)}.`,
          NOT_ALLOWED,
        ),
      }),
      default: context.errors.response('An error.', NOT_FOUND),
    },
    ...(guarded && { security: [{ [BEARER]: [] }] }),
    ...(who !== undefined && { 'x-who-may-call': who }),
    ...(codeSamples.length > 0 && { 'x-codeSamples': codeSamples }),
  };
}

function samplesOfOthers(
  method: DescMethod,
  guarded: boolean,
  { others, samples }: OperationContext,
): readonly CodeSample[] {
  if (others === undefined) return [];
  const sample = samples.ofMessage(method.input, new Set());
  return codeSamplesOf({ method, sample, guarded }, others);
}

function requestBodyOf(
  binding: Binding,
  { schemas, samples }: OperationContext,
  isTaken: (sample: SampleValue) => boolean,
): JsonSchema | undefined {
  const json = (schema: JsonSchema, sample: SampleValue | undefined): JsonSchema => {
    const example = sample !== undefined && isTaken(sample) ? sample : undefined;
    return { required: true, content: { 'application/json': media(schema, example) } };
  };
  const { body, method } = binding;
  if (body.kind === 'none') return undefined;
  const desc = body.kind === 'whole' ? method.input : body.field.message;
  if (isHttpBody(desc)) return { content: { '*/*': {} } };
  const sample = sampleBody(binding, samples);
  const rivals = oneofRivals(binding);
  if (body.kind === 'field') {
    const { field } = body;
    return json(schemas.ofField(field, namesBelow(rivals, field.name)), sample);
  }
  const inPath = boundNames(binding).filter((name) => !name.includes('.'));
  return json(schemas.ofMessage(method.input, new Set([...inPath, ...rivals])), sample);
}

function responseContent(
  { method, responseField }: Binding,
  { schemas, answers }: OperationContext,
): JsonSchema {
  const desc = responseField === undefined ? method.output : responseField.message;
  if (isHttpBody(desc)) return { '*/*': {} };
  const schema =
    responseField === undefined
      ? schemas.ofMessage(method.output)
      : schemas.ofResponse(responseField);
  const example =
    responseField === undefined ? answers.ofMessage(method.output) : answers.ofField(responseField);
  if (method.methodKind === 'unary') return { 'application/json': media(schema, example) };
  const line = { type: 'object', properties: { result: schema } };
  return {
    'application/x-ndjson': media(line, example === undefined ? undefined : { result: example }),
    'text/event-stream': media(schema, example),
  };
}

function media(schema: JsonSchema, example: SampleValue | undefined): JsonSchema {
  return { schema, ...(example !== undefined && { example }) };
}
