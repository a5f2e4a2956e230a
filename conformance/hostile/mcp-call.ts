import type { HttpAnswer, HttpRequest } from './http-call.js';

export const MCP_PATH = '/mcp';

/** The revision without sessions, and the latest with them. */
export const REVISIONS = { stateless: '2026-07-28', withSessions: '2025-11-25' } as const;

const PREFIX = 'io.modelcontextprotocol/';

/** What every message of the revision without sessions says of itself. */
export const META: Readonly<Record<string, unknown>> = {
  [`${PREFIX}protocolVersion`]: REVISIONS.stateless,
  [`${PREFIX}clientCapabilities`]: {},
  [`${PREFIX}clientInfo`]: { name: 'stranger', version: '1' },
};

/** The headers of a message of the revision without sessions. */
export function mcpHeaders(method: string, name?: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': REVISIONS.stateless,
    'mcp-method': method,
    ...(name !== undefined && { 'mcp-name': name }),
  };
}

/** A message of the revision without sessions, as a well-behaved client sends it. */
export function mcpRequest(method: string, params: Readonly<Record<string, unknown>> = {}) {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method,
    params: { ...params, _meta: META },
  });
  return { method: 'POST', path: MCP_PATH, headers: mcpHeaders(method), body };
}

/** A call of a tool. @param json its arguments, as they are sent. */
export function toolRequest(name: string, json: string, meta: object = {}): HttpRequest {
  const headers = mcpHeaders('tools/call', name);
  return { method: 'POST', path: MCP_PATH, headers, body: toolBody(name, json, meta) };
}

/** The body of a call of a tool. @param json its arguments, as they are sent. */
export function toolBody(name: string, json: string, meta: object = {}): string {
  const params = `"name":${JSON.stringify(name)},"_meta":${JSON.stringify({ ...META, ...meta })}`;
  return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${params},"arguments":${json}}}`;
}

/** The status of a call of a tool: of gRPC for one that failed, the code of an error, and else that of HTTP. */
export function toolStatusIn({ status, text }: HttpAnswer): string {
  const failure = /"isError":true/.test(text) && /"text":"([A-Z_]+):/.exec(text)?.[1];
  if (typeof failure === 'string') return failure;
  const error = /"error":\{"code":(-\d+)/.exec(text)?.[1];
  return status === 200 && error !== undefined ? `error ${error}` : String(status);
}
