import { requestIdOf } from '@apix/contracts/internal';
import type { CallerAccess } from '@apix/contracts';
import type { Metadata } from '@grpc/grpc-js';
import type { ResolvedMcpOptions } from '../options.js';
import { resultText, type ServerInfo } from '../rpc/answer-text.js';
import { clientName, WITH_SESSIONS } from '../rpc/revisions.js';
import { RpcCode, RpcError } from '../rpc/rpc-error.js';
import type { RpcId, RpcMessage } from '../rpc/rpc-message.js';
import { type McpSession, type SessionOwner, Sessions } from '../session/sessions.js';
import { cleanLine } from '../tools/tool-text.js';
import { sendAnswer } from './answers.js';
import { CallerContext } from './call-metadata.js';
import {
  type EndpointRequest,
  toolMetadata,
  type ToolExchange,
  type ToolServer,
  type ToolService,
} from './tool-service.js';

const SESSION_HEADER = 'mcp-session-id';

/** Serves clients of the revisions before 2026-07-28, which begin with `initialize`. */
export class SessionDoor {
  readonly #options: ResolvedMcpOptions;
  readonly #tools: ToolService;
  readonly #backend: ToolServer;
  readonly #server: ServerInfo;
  readonly #sessions: Sessions | undefined;
  /** That of the latest request on each connection: those of a client are usually the same. */
  readonly #digests = new WeakMap<object, { readonly text: string; readonly digest: string }>();

  constructor(options: ResolvedMcpOptions, tools: ToolService, backend: ToolServer) {
    const { name, version, sessions } = options;
    this.#options = options;
    this.#tools = tools;
    this.#backend = backend;
    this.#server = { name, version };
    this.#sessions = sessions === false ? undefined : new Sessions(sessions);
  }

  /** Which methods of HTTP there are. */
  get allowed(): string {
    return this.#sessions === undefined ? 'POST' : 'POST, DELETE';
  }

  /** How many sessions there are. */
  get size(): number {
    return this.#sessions?.size ?? 0;
  }

  /** @throws RpcError, StatusError, or rejects with one, for a message that is not served. */
  async serve(request: EndpointRequest, message: RpcMessage): Promise<void> {
    if (message.method === 'initialize') {
      await this.#initialize(request, message);
      return;
    }
    const found = this.#sessionOf(request);
    const session = found instanceof Promise ? await found : found;
    const { id } = message;
    if (id === undefined) {
      if (message.method === 'notifications/cancelled') cancel(session, message);
      sendAnswer(request.res, 202, undefined);
      return;
    }
    const exchange: ToolExchange = {
      ...request,
      message: { ...message, id },
      client: session?.client,
      form: (result) => result,
      underWay: session?.underWay,
    };
    if (message.method === 'ping') sendAnswer(request.res, 200, resultText(id, '{}'));
    else await this.#tools.serve(exchange, 200);
  }

  /** Ends the session of a request. @throws RpcError if it has none. */
  async end(request: EndpointRequest): Promise<void> {
    const session = await this.#sessionOf(request);
    if (session !== undefined) this.#sessions?.end(session);
    sendAnswer(request.res, 204, undefined);
  }

  async #initialize(request: EndpointRequest, { id, params }: RpcMessage): Promise<void> {
    const { protocolVersion: wanted, clientInfo } = params;
    if (id === undefined || typeof wanted !== 'string') {
      const text = 'initialize needs an id and params.protocolVersion';
      throw new RpcError(RpcCode.INVALID_PARAMS, text);
    }
    const revision = WITH_SESSIONS.includes(wanted) ? wanted : WITH_SESSIONS[0]!;
    const client = clientName(clientInfo);
    // Also without sessions: what a caller of whom nothing can be known gets is no welcome.
    const owner = await this.#ownerOf(request);
    const about = { revision, client: client && cleanLine(client, 64) };
    const session = this.#sessions?.open(owner, about);
    const { instructions } = this.#options;
    const result = {
      protocolVersion: revision,
      capabilities: { tools: {} },
      serverInfo: this.#server,
      instructions,
    };
    const headers = session && { [SESSION_HEADER]: session.id };
    sendAnswer(request.res, 200, resultText(id, JSON.stringify(result)), headers);
  }

  /** Undefined if there are none at all. */
  #sessionOf(request: EndpointRequest): McpSession | undefined | Promise<McpSession | undefined> {
    const { req } = request;
    const version = req.headers['mcp-protocol-version'];
    if (version !== undefined && !WITH_SESSIONS.includes(String(version))) {
      throw new RpcError(RpcCode.REFUSED, 'this protocol version is not supported', {
        data: { supported: WITH_SESSIONS },
      });
    }
    if (this.#sessions === undefined) return undefined;
    const id = req.headers[SESSION_HEADER];
    if (typeof id !== 'string') {
      throw new RpcError(RpcCode.REFUSED, 'the header Mcp-Session-Id is required; send initialize');
    }
    const found = this.#sessions.find(id, this.#digestOf(request), () => this.#ownerOf(request));
    return found instanceof Promise
      ? found.then((session) => existing(session, version))
      : existing(found, version);
  }

  /** @throws StatusError, or rejects with it, for credentials that are not valid. */
  async #ownerOf(request: EndpointRequest): Promise<SessionOwner> {
    const { req, peer } = request;
    const credentials = this.#digestOf(request);
    const metadata = toolMetadata(req, requestIdOf(req), this.#backend, this.#options);
    const signal = AbortSignal.timeout(this.#options.timeout);
    const call = new CallerContext(metadata, peer, signal);
    const access = await this.#backend.access()?.accessOf(call);
    return { credentials, key: keyOf(access, credentials, metadata) };
  }

  /**
   * Of its credentials, a certificate among them, and of the headers that policies may read in their place; '' without
   * any.
   */
  #digestOf({ req, peer: { certificate } }: EndpointRequest): string {
    const { headers, socket } = req;
    const { authorization } = headers;
    const more = this.#options.forwardHeaders.map((name) => headers[name]);
    const isAlone = certificate === undefined && more.every((value) => value === undefined);
    if (isAlone && authorization === undefined) return '';
    // No header has a line end, so that no authorization is the text of other credentials.
    const text = isAlone
      ? authorization!
      : `\n${JSON.stringify([certificate?.fingerprint256, authorization, ...more])}`;
    const before = this.#digests.get(socket);
    if (before?.text === text) return before.digest;
    const digest = process
      .getBuiltinModule('node:crypto')
      .createHash('sha256')
      .update(text)
      .digest('base64url');
    this.#digests.set(socket, { text, digest });
    return digest;
  }
}

/** @throws RpcError for a session that does not exist, or has another protocol version. */
function existing(
  session: McpSession | undefined,
  version: string | string[] | undefined,
): McpSession {
  if (session === undefined) {
    const text = 'this session does not exist; send initialize';
    throw new RpcError(RpcCode.SESSION_NOT_FOUND, text, { status: 404 });
  }
  if (version !== undefined && version !== session.revision) {
    throw new RpcError(RpcCode.REFUSED, 'the session has another protocol version');
  }
  return session;
}

/** Whose sessions count together. */
function keyOf(access: CallerAccess | undefined, credentials: string, metadata: Metadata): string {
  if (access?.caller !== undefined) return `caller ${access.caller}`;
  if (!(access?.isAnonymous ?? credentials === '')) return `credentials ${credentials}`;
  // The caller comes first, before proxies that are trusted.
  const [chain = ''] = metadata.get('x-forwarded-for');
  return `address ${String(chain).replace(/,.*/, '')}`;
}

function cancel(session: McpSession | undefined, { params }: RpcMessage): void {
  session?.underWay.get(params['requestId'] as RpcId)?.();
}
