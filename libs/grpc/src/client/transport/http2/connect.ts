import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { type Socket, connect as connectTcp } from 'node:net';
import { type ConnectionOptions, type SecureContext, connect, createSecureContext } from 'node:tls';
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

/** The result of an attempt: one of the two is called, once. */
export interface AttemptOutcome {
  onReady(session: ClientHttp2Session): void;
  onFailure(error: Error): void;
}

/** Connects, and takes the connection for ready when the server has sent its settings. */
export function connectTo(settings: Http2Settings, outcome: AttemptOutcome): Attempt {
  let socket: Socket;
  let session: ClientHttp2Session;
  try {
    socket = socketTo(settings);
    session = sessionOver(socket, settings);
  } catch (error) {
    // Such as a port above 65535, or certificates that OpenSSL refuses.
    const timer = setImmediate(() => outcome.onFailure(error as Error));
    return {
      cancel: () => clearImmediate(timer),
      ref: () => void timer.ref(),
      unref: () => void timer.unref(),
    };
  }
  let isOver = false;
  let error: Error | undefined;
  const end = (): void => {
    isOver = true;
    clearTimeout(timer);
  };
  const fail = (): void => {
    if (isOver) return;
    end();
    session.destroy();
    socket.destroy();
    outcome.onFailure(error ?? new Error('the connection was closed before it was ready'));
  };
  const timer = setTimeout(() => {
    error = new Error(`no connection within ${ATTEMPT_MS / 1_000} s`);
    fail();
  }, ATTEMPT_MS).unref();
  const noted = (found: Error): void => void (error ??= found);
  socket.on('error', noted);
  socket.unref();
  // Listened to as long as it lives: nothing else may listen.
  session.on('error', noted);
  session.once('close', fail);
  socket.once('close', fail);
  session.once('remoteSettings', () => {
    if (isOver) return;
    end();
    session.off('close', fail);
    socket.off('close', fail);
    if (settings.windowBytes !== undefined) session.setLocalWindowSize(settings.windowBytes);
    outcome.onReady(session);
  });
  return {
    cancel: () => {
      end();
      session.destroy();
      socket.destroy();
    },
    ref: () => void socket.ref(),
    unref: () => void socket.unref(),
  };
}

function sessionOver(socket: Socket, { tls, authority, windowBytes }: Http2Settings) {
  return connectHttp2(`${tls === undefined ? 'http' : 'https'}://${authority}`, {
    createConnection: () => socket,
    settings: {
      enablePush: false,
      ...(windowBytes !== undefined && { initialWindowSize: windowBytes }),
    },
    // As grpc-js has it: what metadata may be is the server's to say.
    maxSendHeaderBlockLength: Number.MAX_SAFE_INTEGER,
    // If reached, it would end other streams; the data of a stream is bounded by its window.
    maxSessionMemory: Number.MAX_SAFE_INTEGER,
  });
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
