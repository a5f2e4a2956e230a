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

/** What is read of an answer about tools. */
export interface ToolAnswer {
  readonly result?: {
    readonly tools?: readonly { readonly name: string }[];
    readonly content?: readonly { readonly text: string }[];
    readonly isError?: boolean;
  };
}

/** Asks as a client of the Model Context Protocol does, revision 2026-07-28. */
export async function askTools(
  url: string,
  method: string,
  params: { readonly name?: string; readonly [member: string]: unknown },
  headers: Readonly<Record<string, string>>,
): Promise<ToolAnswer> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const { json } = await ask(url, '/mcp', {
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(params.name !== undefined && { 'mcp-name': params.name }),
      ...headers,
    },
  });
  return json as ToolAnswer;
}
