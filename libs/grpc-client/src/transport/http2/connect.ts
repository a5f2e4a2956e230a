import { type Socket, connect as connectTcp } from 'node:net';
import { type ConnectionOptions, type SecureContext, connect, createSecureContext } from 'node:tls';
import { ClientSession, type SessionListener } from '@apix/http2';
import type { Http2Settings, TlsMaterial } from './http2-settings.js';

/** gRPC's MIN_CONNECT_TIMEOUT (connection-backoff.md). */
const ATTEMPT_MS = 20_000;

/**
 * Of a name with several addresses each is tried for so long, where Node gives up one after 250 ms: too soon for
 * a server far away, or a busy one.
 */
const PATIENT = { autoSelectFamilyAttemptTimeout: 2_000 };

/** An attempt to connect. */
export interface Attempt {
  /** Ends it without calling back, and its socket. */
  cancel(): void;
  /** Keeps the process alive for it, until {@link unref}. Default: it does not. */
  ref(): void;
  unref(): void;
}

/** The result of an attempt: one of the two is called, once, unless it is cancelled before. */
export interface AttemptOutcome {
  /** @returns the listener for the later events of the session. */
  onReady(session: ClientSession): Pick<SessionListener, 'onGoaway' | 'onClosed'>;
  onFailure(error: Error): void;
}

/** Connects; the connection counts as ready when the server has sent its settings. */
export function connectTo(settings: Http2Settings, outcome: AttemptOutcome): Attempt {
  let socket: Socket;
  try {
    socket = socketTo(settings);
  } catch (error) {
    // Such as a port above 65535, or certificates that OpenSSL refuses.
    const timer = setImmediate(() => outcome.onFailure(error as Error));
    return {
      cancel: () => clearImmediate(timer),
      ref: () => void timer.ref(),
      unref: () => void timer.unref(),
    };
  }
  return new ConnectAttempt(socket, settings.windowBytes, outcome);
}

class ConnectAttempt implements Attempt, SessionListener {
  readonly #socket: Socket;
  readonly #outcome: AttemptOutcome;
  readonly #session: ClientSession;
  readonly #timer: NodeJS.Timeout;
  #next: Pick<SessionListener, 'onGoaway' | 'onClosed'> | undefined;
  #isOver = false;
  #error: Error | undefined;

  constructor(socket: Socket, windowBytes: number | undefined, outcome: AttemptOutcome) {
    this.#socket = socket;
    this.#outcome = outcome;
    this.#timer = setTimeout(() => {
      this.#error = new Error(`no connection within ${ATTEMPT_MS / 1_000} s`);
      this.#session.destroy();
    }, ATTEMPT_MS).unref();
    // This listener stays for the life of the socket, because there may be no other one.
    socket.on('error', (error) => (this.#error ??= error));
    socket.unref();
    this.#session = new ClientSession(socket, windowBytes, this);
  }

  cancel(): void {
    this.#end();
    this.#session.destroy();
  }

  ref(): void {
    this.#socket.ref();
  }

  unref(): void {
    this.#socket.unref();
  }

  onReady(): void {
    if (this.#isOver) return;
    this.#end();
    this.#next = this.#outcome.onReady(this.#session);
  }

  onGoaway(code: number, data: Buffer): void {
    this.#next?.onGoaway(code, data);
  }

  onClosed(): void {
    this.#next?.onClosed();
    if (this.#isOver) return;
    this.#end();
    const error = this.#error ?? new Error('the connection was closed before it was ready');
    this.#outcome.onFailure(error);
  }

  #end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }
}

function socketTo({ address, tls }: Http2Settings): Socket {
  if (tls === undefined) return connectTcp({ ...address, noDelay: true, ...PATIENT });
  const options: ConnectionOptions = {
    ...address,
    ...PATIENT,
    secureContext: contextOf(tls()),
    ALPNProtocols: ['h2'],
  };
  return connect(options).setNoDelay(true);
}

/** Reading the authorities of Node takes milliseconds. */
const contexts = new WeakMap<TlsMaterial, SecureContext>();

function contextOf(material: TlsMaterial): SecureContext {
  let context = contexts.get(material);
  if (context === undefined) {
    const { ca, identity } = material;
    context = createSecureContext({ ...(ca !== undefined && { ca }), ...identity });
    contexts.set(material, context);
  }
  return context;
}
