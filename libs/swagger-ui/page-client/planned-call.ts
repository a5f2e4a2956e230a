import { CREDENTIAL, type PlannedCall } from './code-samples.js';
import { described } from './described.js';
import { isStreamType } from './read-stream.js';
import type { SegmentPaths } from './segments-plugin.js';
import type { BuiltRequest, DescribedOperation, SecurityScheme, System } from './swagger-ui.js';

/**
 * The call that an operation would make now, with its samples where nothing has been entered, and without the
 * credentials that were entered. Undefined where its body is not a text, such as a form with files.
 */
export function plannedCall(
  system: System,
  paths: SegmentPaths,
  path: string,
  method: string,
): PlannedCall | undefined {
  const { specSelectors, oas3Selectors, fn } = system;
  const { operation, spec, scheme } = described(system, path, method);
  const mediaType =
    oas3Selectors.requestContentType(path, method) ??
    Object.keys(operation.requestBody?.content ?? {})[0];
  const body = bodyOf(system, operation, path, method, mediaType);
  if (body !== undefined && typeof body !== 'string') return undefined;
  const accepted = oas3Selectors.responseContentType(path, method);
  paths.note({ pathName: path, method, spec });
  const request = fn.buildRequest({
    spec,
    operationId: operation.operationId ?? fn.opId(operation, path, method),
    contextUrl: specSelectors.url(),
    server: oas3Selectors.selectedServer(`${path}:${method}`) ?? oas3Selectors.selectedServer(),
    parameters: { ...missing(operation), ...entered(system, path, method) },
    requestContentType: mediaType,
    responseContentType: accepted ?? '*/*',
    ...(body !== undefined && { requestBody: body }),
  });
  return withCredential(planOf(paths.intercept(request), operation, accepted), scheme);
}

/** The text of the body; something else if it is not a text; undefined if there is none. */
function bodyOf(
  { oas3Selectors, fn }: System,
  { requestBody }: DescribedOperation,
  path: string,
  method: string,
  mediaType: string | null | undefined,
): unknown {
  if (requestBody === undefined || typeof mediaType !== 'string') return undefined;
  const value = oas3Selectors.requestBodyValue(path, method);
  if (value !== undefined && value !== null) return value;
  const { schema, example } = requestBody.content?.[mediaType] ?? {};
  if (typeof example === 'string') return example;
  if (example !== undefined) return JSON.stringify(example, null, 2);
  if (schema === undefined || !mediaType.includes('json')) return null;
  return fn.getSampleSchema(schema, mediaType, { includeWriteOnly: true });
}

function entered(system: System, path: string, method: string): Readonly<Record<string, unknown>> {
  const values = system.specSelectors.parameterValues([path, method]).toJS();
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Something for each required parameter, without which no request can be built. */
function missing({ parameters = [] }: DescribedOperation): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    parameters
      .filter(({ required }) => required === true)
      .map((one) => [`${one.in}.${one.name}`, one.example ?? one.schema?.default ?? one.name]),
  );
}

function planOf(
  { url, method, headers = {}, body }: BuiltRequest,
  { responses = {} }: DescribedOperation,
  accepted: string | null | undefined,
): PlannedCall {
  const answered = accepted ?? Object.keys(responses['200']?.content ?? {})[0] ?? '';
  const sent = Object.entries(headers).filter(
    ([name, value]) => name !== 'accept' || value !== '*/*',
  );
  return {
    method: method.toUpperCase(),
    url,
    headers: Object.fromEntries(sent),
    ...(typeof body === 'string' && { body }),
    answer: isStreamType(answered) ? 'stream' : answered.includes('json') ? 'json' : 'text',
  };
}

/** With the place of the credential. */
export function withCredential(call: PlannedCall, scheme: SecurityScheme | undefined): PlannedCall {
  if (scheme === undefined) return call;
  const { type, name = '' } = scheme;
  if (type === 'apiKey' && scheme.in === 'query') {
    const mark = call.url.includes('?') ? '&' : '?';
    return { ...call, url: `${call.url}${mark}${encodeURIComponent(name)}=${CREDENTIAL}` };
  }
  return { ...call, headers: { ...headerOf(scheme), ...call.headers } };
}

function headerOf({ type, scheme, name = '', in: place }: SecurityScheme): Record<string, string> {
  if (type === 'apiKey') {
    return place === 'cookie' ? { Cookie: `${name}=${CREDENTIAL}` } : { [name]: CREDENTIAL };
  }
  const isBasic = type === 'http' && scheme?.toLowerCase() === 'basic';
  return { Authorization: `${isBasic ? 'Basic' : 'Bearer'} ${CREDENTIAL}` };
}
