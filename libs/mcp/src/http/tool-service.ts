import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CallServer } from '@apix/calls';
import { closeWithConnection } from '@apix/calls/internal';
import { type CallPeer, Code, type AccessSource } from '@apix/contracts';
import { noteHandler, reachedHandler, requestIdOf, refusesType } from '@apix/contracts/internal';
import type { Metadata } from '@grpc/grpc-js';
import { AnswerJson } from '../call/answer-json.js';
import { callTool, type ToolCallRules, type ToolOutcome } from '../call/tool-call.js';
import { ToolResults } from '../call/tool-result.js';
import type { ResolvedMcpOptions } from '../options.js';
import { progressText, resultText } from '../rpc/answer-text.js';
import { progressTokenOf } from '../rpc/revisions.js';
import { RpcCode, RpcError } from '../rpc/rpc-error.js';
import type { RpcId, RpcMessage } from '../rpc/rpc-message.js';
import type { ToolBook } from '../tools/tool-book.js';
import { cleanLine } from '../tools/tool-text.js';
import type { Tool } from '../tools/tool.js';
import { EventAnswer, sendRefusal, sendAnswer } from './answers.js';
import { callMetadata, CallerContext } from './call-metadata.js';
import type { ResourceMetadata } from './resource-metadata.js';

/** A request of HTTP to the endpoint. */
export interface EndpointRequest {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** The caller's end of the connection. */
  readonly peer: CallPeer;
}

/** One request of the protocol, and how it is answered. */
export interface ToolExchange extends EndpointRequest {
  readonly message: RpcMessage & { readonly id: RpcId };
  /** The name of the client. */
  readonly client: string | undefined;
  /** The form that results have in the revision of the request. */
  readonly form: (result: string) => string;
  /** Where the request can be cancelled while it is under way. Default: it ends with its connection. */
  readonly underWay?: Map<RpcId, () => void> | undefined;
}

/** What calls go to, and who says what callers may call; both may be found later than the endpoint. */
export interface ToolServer {
  readonly server: () => CallServer;
  readonly access: () => AccessSource | undefined;
  /**
   * The metadata of the call that a request is for, for an entry point that has rules of its own for that.
   *
   * @throws StatusError for a request with metadata that no call can have.
   */
  readonly metadata?: (req: IncomingMessage, requestId: string) => Metadata;
}

/** How tools are read and written, which depends on what types there are. */
interface ToolCodecs {
  readonly rules: ToolCallRules;
  readonly results: ToolResults;
}

/** A tool that is called, and how. */
interface FoundTool extends ToolCodecs {
  readonly tool: Tool;
}

/** Lists the tools of a caller, and calls them. */
export class ToolService {
  readonly #books: () => ToolBook;
  readonly #options: ResolvedMcpOptions;
  readonly #backend: ToolServer;
  readonly #metadata: ResourceMetadata;
  readonly #codecs = new WeakMap<ToolBook, ToolCodecs>();

  /** @param books asked for each request. */
  constructor(
    books: () => ToolBook,
    options: ResolvedMcpOptions,
    backend: ToolServer,
    metadata: ResourceMetadata,
  ) {
    this.#books = books;
    this.#options = options;
    this.#backend = backend;
    this.#metadata = metadata;
  }

  /** How many tools there are. */
  get size(): number {
    return this.#books().size;
  }

  /**
   * Serves what all revisions have of tools.
   *
   * @param statusOfUnknown that of HTTP for another method.
   * @throws RpcError, or rejects with it, also for another method.
   */
  async serve(exchange: ToolExchange, statusOfUnknown: number): Promise<void> {
    const { method } = exchange.message;
    if (method === 'tools/list') await this.#list(exchange);
    else if (method === 'tools/call') this.#call(exchange);
    else {
      const text = `this server has no method ${cleanLine(method, 128)}`;
      throw new RpcError(RpcCode.METHOD_NOT_FOUND, text, { status: statusOfUnknown });
    }
  }

  /** Who may call what is asked of the policies for each list; it must not be kept for other callers. */
  async #list(exchange: ToolExchange): Promise<void> {
    const { req, res, peer, message, form } = exchange;
    if (message.params['cursor'] !== undefined) {
      throw new RpcError(RpcCode.INVALID_PARAMS, 'the list has one page: send no cursor', {
        status: 200,
      });
    }
    this.#note(exchange, {});
    const controller = new AbortController();
    res.once('close', () => controller.abort());
    const metadata = toolMetadata(req, requestIdOf(req), this.#backend, this.#options);
    const source = this.#backend.access();
    const caller = new CallerContext(metadata, peer, controller.signal);
    const tools = await this.#books().listFor(source, caller);
    const cache = cacheHint(this.#options.listTtl, source === undefined ? 'public' : 'private');
    sendAnswer(res, 200, resultText(message.id, form(`{"tools":${tools},${cache}}`)));
  }

  /** @throws RpcError for a tool that there is not. */
  #call(exchange: ToolExchange): void {
    const { req, res, peer, message, underWay } = exchange;
    const { id, params, argumentBytes } = message;
    const found = this.#toolOf(params['name']);
    const { tool, rules } = found;
    if (underWay?.has(id) === true) {
      throw new RpcError(RpcCode.INVALID_REQUEST, 'a request with this id is under way');
    }
    const requestId = requestIdOf(req);
    res.setHeader('x-request-id', requestId);
    const metadata = toolMetadata(req, requestId, this.#backend, this.#options);
    this.#note(exchange, { tool });
    closeWithConnection(res);
    const token = progressTokenOf(message);
    const takesEvents = !refusesType(req.headers.accept, 'text/event-stream');
    const events = token !== undefined && takesEvents ? new EventAnswer(res) : undefined;
    let cancelCall: (() => void) | undefined;
    const cancel = (): void => cancelCall?.();
    const leave = (): void => {
      underWay?.delete(id);
      res.off('close', cancel);
    };
    underWay?.set(id, cancel);
    res.once('close', cancel);
    try {
      const request = { tool, metadata, peer, argumentBytes };
      cancelCall = callTool(this.#backend.server(), request, rules, {
        onAnswer: (count, json, next) => {
          if (events === undefined || token === undefined) next();
          else events.write(progressText(token, count, json.toString()), next);
        },
        onEnd: (outcome) => {
          leave();
          this.#answer(exchange, found, outcome, events);
        },
      });
    } catch (error) {
      leave();
      throw error;
    }
  }

  #toolOf(name: unknown): FoundTool {
    if (typeof name !== 'string') {
      throw new RpcError(RpcCode.INVALID_PARAMS, 'params.name must be a string', { status: 200 });
    }
    const book = this.#books();
    const tool = book.find(name);
    if (tool !== undefined) return { tool, ...this.#codecsOf(book) };
    throw new RpcError(RpcCode.INVALID_PARAMS, `unknown tool: ${cleanLine(name, 128)}`, {
      status: 200,
    });
  }

  #codecsOf(book: ToolBook): ToolCodecs {
    let codecs = this.#codecs.get(book);
    if (codecs === undefined) {
      const json = new AnswerJson(book.types, this.#options.maxDepth);
      codecs = { rules: { ...this.#options, json }, results: new ToolResults(book.types) };
      this.#codecs.set(book, codecs);
    }
    return codecs;
  }

  #answer(
    exchange: ToolExchange,
    { tool, results }: FoundTool,
    outcome: ToolOutcome,
    events: EventAnswer | undefined,
  ): void {
    const { res, message, form } = exchange;
    const { failure } = outcome;
    if (failure !== undefined) this.#note(exchange, { tool, code: failure.code });
    try {
      if (failure?.code === Code.UNAUTHENTICATED && !res.headersSent) {
        sendRefusal(res, failure, message.id, this.#metadata);
        return;
      }
      const text = resultText(message.id, form(results.resultOf(tool, outcome)));
      if (res.headersSent) events?.end(text);
      else sendAnswer(res, 200, text);
    } catch (error) {
      sendRefusal(res, error, message.id, this.#metadata);
    }
  }

  /** For the event and the span of the request. */
  #note(
    exchange: ToolExchange,
    { tool, code }: { readonly tool?: Tool; readonly code?: Code },
  ): void {
    const { req, message, client } = exchange;
    noteHandler(req, {
      ...reachedHandler(req),
      handler: tool?.path,
      code,
      facts: {
        mcp_method: message.method,
        ...(tool !== undefined && { mcp_tool: tool.name }),
        ...(client !== undefined && { mcp_client: cleanLine(client, 64) }),
      },
    });
  }
}

/** The metadata of the call that a request is for. @throws StatusError where a request has no such metadata. */
export function toolMetadata(
  req: IncomingMessage,
  requestId: string,
  { metadata }: ToolServer,
  { forwardHeaders }: ResolvedMcpOptions,
): Metadata {
  return metadata?.(req, requestId) ?? callMetadata(req, requestId, forwardHeaders);
}

/** How long a result may be kept, and for whom. */
export function cacheHint(ttl: number, scope: 'public' | 'private'): string {
  return `"ttlMs":${ttl},"cacheScope":"${scope}"`;
}
