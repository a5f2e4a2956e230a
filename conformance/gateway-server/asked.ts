import { type HttpAnswer, httpCall } from '../hostile/http-call.js';

/** The JSON of an answer, beside what else it has. */
export interface Answer extends HttpAnswer {
  readonly json: unknown;
}

/** Makes a request with or without a body of JSON. */
export async function ask(
  url: string,
  path: string,
  init: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const { body, method = body === undefined ? 'GET' : 'POST', headers = {} } = init;
  const answer = await httpCall(Number(new URL(url).port), {
    method,
    path,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const isJson = /[/+]json$/.test(answer.headers['content-type'] ?? '');
  return { ...answer, json: isJson ? (JSON.parse(answer.text) as unknown) : undefined };
}
