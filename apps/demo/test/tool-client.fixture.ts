import { Code } from '@apix/contracts';
import type { DescMethod } from '@bufbuild/protobuf';

const STATELESS = '2026-07-28';

/** With headers and `_meta`, and as clients of the revision before send it to a server without sessions. */
export const REVISIONS = [STATELESS, '2025-11-25'] as const;

/** How a call of a tool ended. */
export interface ToolAnswer {
  readonly code: Code;
  /** `OK` for a call that succeeds, as grpc-js has it. */
  readonly details: string;
  readonly data: unknown;
  /** The whole body. */
  readonly text: string;
}

interface ToolResult {
  readonly tools?: readonly { readonly name: string; readonly description?: string }[];
  readonly content?: readonly { readonly text: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

/** An agent of one caller. */
export class ToolClient {
  constructor(
    private readonly url: string,
    private readonly revision: (typeof REVISIONS)[number],
    private readonly authorization: string | undefined,
  ) {}

  /** The names of the tools that it sees. */
  async list(): Promise<string[]> {
    const { result } = await this.#ask('tools/list', {});
    return result!.tools!.map(({ name }) => name);
  }

  async call(name: string, args: object): Promise<ToolAnswer> {
    const { text, result, error } = await this.#ask('tools/call', { name, arguments: args });
    if (result === undefined) {
      return { code: Code.UNAUTHENTICATED, details: error!.message, data: undefined, text };
    }
    const { content = [], structuredContent: data, isError = false } = result;
    if (!isError) return { code: Code.OK, details: 'OK', data, text };
    const [, code, details] = /^([A-Z_]+): (.*)$/s.exec(content[0]!.text)!;
    return { code: Code[code as keyof typeof Code], details: details!, data, text };
  }

  /** @throws Error for a status of HTTP other than 200 and 401. */
  async #ask(method: string, params: Readonly<Record<string, unknown>>) {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': STATELESS,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const isStateless = this.revision === STATELESS;
    const response = await fetch(`${this.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(isStateless && { 'mcp-protocol-version': STATELESS, 'mcp-method': method }),
        ...(isStateless && 'name' in params && { 'mcp-name': params['name'] as string }),
        ...(this.authorization !== undefined && { authorization: this.authorization }),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method,
        params: { ...params, ...(isStateless && { _meta: meta }) },
      }),
    });
    const text = await response.text();
    if (response.status !== 200 && response.status !== 401) {
      throw new Error(`${method}: ${response.status} ${text}`);
    }
    const { result, error } = JSON.parse(text) as {
      readonly result?: ToolResult;
      readonly error?: { readonly message: string };
    };
    return { text, result, error };
  }
}

/** Such as `Orders_Cancel`. */
export function toolNameOf({ parent, name }: DescMethod): string {
  return `${parent.typeName.split('.').at(-1)}_${name}`;
}
