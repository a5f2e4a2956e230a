import type { Ask } from '../serve.js';

/** One thing that a document says, and a request that shows whether it holds. */
export interface ConformanceCase {
  /** The document and the sentence of it. */
  readonly source: string;
  /** `GET /v1/x`. */
  readonly request: string;
  readonly ask?: Ask;
  readonly status: number;
  /** The JSON of the answer. */
  readonly json?: unknown;
  /** What the problem's `detail` says. */
  readonly detail?: RegExp;
  /** Response headers that are there with this value. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body as text. */
  readonly text?: string;
}

/** A request that is answered with 200 and this JSON. */
export function ok(source: string, request: string, json: unknown, ask?: Ask): ConformanceCase {
  return { source, request, status: 200, json, ...(ask && { ask }) };
}

/** A request that is refused with 400 and this detail. */
export function bad(source: string, request: string, detail: RegExp, ask?: Ask): ConformanceCase {
  return { source, request, status: 400, detail, ...(ask && { ask }) };
}

/** A JSON request body, as text or to be made into text. */
export function body(json: unknown, headers: Record<string, string> = {}): Ask {
  return {
    body: typeof json === 'string' ? json : JSON.stringify(json),
    headers: { 'content-type': 'application/json', ...headers },
  };
}
