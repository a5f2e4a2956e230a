import type { IncomingMessage, ServerResponse } from 'node:http';
import { Mistakes } from '@apix/contracts';
import {
  normalisedPath,
  noteHandler,
  readOptions,
  targetOf,
  refusesType,
} from '@apix/contracts/internal';
import type { ProtoRegistry } from '@apix/proto/core';
import { McpConfigError } from '../errors.js';
import { MCP_OPTIONS, type McpOptions, type ResolvedMcpOptions } from '../options.js';
import { resultText, type ServerInfo, statelessResult } from '../rpc/answer-text.js';
import { assertStateless, clientOf, isStateless, STATELESS } from '../rpc/revisions.js';
import { RpcCode, RpcError } from '../rpc/rpc-error.js';
import { type RpcId, type RpcMessage, readRpcMessage } from '../rpc/rpc-message.js';
import { sendRefusal, sendAnswer } from './answers.js';
import { ToolBook } from '../tools/tool-book.js';
import { assertOwnOrigin, type OriginRules, originRules } from './origins.js';
import { Bodies } from './read-body.js';
import { ResourceMetadata } from './resource-metadata.js';
import { SessionDoor } from './session-door.js';
import {
  cacheHint,
  type EndpointRequest,
  type ToolExchange,
  type ToolServer,
  ToolService,
} from './tool-service.js';
import { callerPeer } from './call-metadata.js';

/** Serves the methods with `(apix.mcp.tool)` as tools, at one path, for all revisions of the protocol. */
export class McpEndpoint {
  readonly #options: ResolvedMcpOptions;
  readonly #tools: ToolService;
  readonly #sessions: SessionDoor;
  readonly #metadata: ResourceMetadata;
  readonly #origins: OriginRules;
  readonly #bodies: Bodies;
  readonly #server: ServerInfo;
  #path: string;

  /**
   * @param tools the descriptors that have them; for tools that change, a function that returns the current ones, which
   *   is called for each request.
   * @throws McpConfigError with everything that is wrong with options, or with the options of methods.
   */
  constructor(
    tools: ProtoRegistry | (() => ToolBook),
    backend: ToolServer,
    options: McpOptions = {},
  ) {
    const mistakes = new Mistakes();
    const read: ResolvedMcpOptions = readOptions(MCP_OPTIONS, options, '', mistakes);
    mistakes.throwIfAny((found) => new McpConfigError(found));
    const { path, name, version } = read;
    this.#options = read;
    this.#path = path;
    this.#server = { name, version };
    this.#metadata = new ResourceMetadata(read.authorization);
    this.#tools = new ToolService(booksOf(tools), read, backend, this.#metadata);
    this.#sessions = new SessionDoor(read, this.#tools, backend);
    this.#origins = originRules(read);
    this.#bodies = new Bodies(read);
  }

  /** Where it is served. */
  get path(): string {
    return this.#path;
  }

  /** How many tools and sessions there are. */
  get counts(): { readonly tools: number; readonly sessions: number } {
    return { tools: this.#tools.size, sessions: this.#sessions.size };
  }

  /** Puts it at another path. Call it before the first request. */
  moveTo(path: string): void {
    this.#path = path;
  }

  /** Whether a request is for this endpoint, or for what it says of itself. */
  takes(req: IncomingMessage): boolean {
    const { path, authority } = targetOf(req);
    // RFC 9110 §4.2.1: without a host it is invalid, and not every router reads it alike.
    return authority !== '' && (this.#isAt(path) || this.#metadata.isAt(path));
  }

  /** Serves a request that {@link takes} says is its own. */
  readonly handle = (req: IncomingMessage, res: ServerResponse): void => {
    const { path } = targetOf(req);
    if (!this.#isAt(path)) {
      this.#metadata.send(req, res);
      return;
    }
    noteHandler(req, { route: this.#path, protocol: 'mcp' });
    let id: RpcId | undefined;
    const noteId = (of: RpcMessage): void => {
      ({ id } = of);
    };
    this.#serve(req, res, noteId).catch((error: unknown) =>
      sendRefusal(res, error, id, this.#metadata),
    );
  };

  #isAt(path: string): boolean {
    return path === this.#path || normalisedPath(path) === this.#path;
  }

  async #serve(
    req: IncomingMessage,
    res: ServerResponse,
    noteId: (message: RpcMessage) => void,
  ): Promise<void> {
    assertOwnOrigin(req, this.#origins);
    const request = { req, res, peer: callerPeer(req) };
    const { allowed } = this.#sessions;
    if (req.method === 'DELETE' && allowed.includes('DELETE')) {
      await this.#sessions.end(request);
      return;
    }
    if (req.method !== 'POST') {
      throw new RpcError(RpcCode.REFUSED, `${req.method} is not served here`, {
        status: 405,
        headers: { allow: allowed },
      });
    }
    if (refusesType(req.headers.accept, 'application/json')) {
      const text = 'Accept refuses application/json: there is no other form';
      throw new RpcError(RpcCode.REFUSED, text, { status: 406 });
    }
    // Between two messages there may be a list or a map.
    const brackets = 2 * this.#options.maxDepth + 2;
    const message = readRpcMessage(await this.#bodies.read(req), brackets);
    noteId(message);
    if (isStateless(req, message)) await this.#serveStateless(request, message);
    else await this.#sessions.serve(request, message);
  }

  async #serveStateless(request: EndpointRequest, message: RpcMessage): Promise<void> {
    const { req, res } = request;
    assertStateless(req, message);
    const { id } = message;
    if (id === undefined) {
      // A request is cancelled by closing its connection.
      sendAnswer(res, 202, undefined);
      return;
    }
    const form = (result: string): string => statelessResult(result, this.#server);
    const client = clientOf(message);
    const exchange: ToolExchange = { ...request, message: { ...message, id }, client, form };
    if (message.method === 'server/discover') {
      sendAnswer(res, 200, resultText(id, form(this.#discovered())));
    } else await this.#tools.serve(exchange, 404);
  }

  #discovered(): string {
    const { instructions, listTtl } = this.#options;
    const about = { supportedVersions: [STATELESS], capabilities: { tools: {} }, instructions };
    return `${JSON.stringify(about).slice(0, -1)},${cacheHint(listTtl, 'public')}}`;
  }
}

function booksOf(tools: ProtoRegistry | (() => ToolBook)): () => ToolBook {
  if (typeof tools === 'function') return tools;
  const book = new ToolBook(tools);
  return () => book;
}
