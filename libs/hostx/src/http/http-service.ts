import { type Deadline, type MetricReading, onAbort } from '@apix/contracts';
import type { Server } from 'node:http';
import type { DrainBegin } from '../drain-delay.js';
import { HostError, errorIn } from '../errors.js';
import { parentLink, sharedSocket } from '../processes/parent-link.js';
import type { Service } from '../service.js';
import { claimSocket, type Endpoint, boundAddress, listenError, listenOptions } from './listen.js';
import { Connections } from './connections.js';
import { Drain } from './drain.js';
import {
  type HttpServiceOptions,
  type ResolvedHttpOptions,
  resolveHttpOptions,
} from './http-options.js';
import { makeServer } from './make-server.js';

/** An HTTP server from start to stop. */
interface Run {
  readonly server: Server;
  readonly connections: Connections;
  readonly drain: Drain;
  readonly accepting: Promise<void>;
  /** Ends the run, with or without an error. */
  readonly end: (error?: Error) => void;
  readonly ended: Promise<void>;
  /** Takes its listeners off the server. */
  readonly detach: () => void;
}

/**
 * An HTTP service: for any Node handler, or for a server that exists already.
 *
 * @throws HostError that lists every mistake in the options.
 */
export function httpService(options: HttpServiceOptions): HttpService {
  return new HttpService(options);
}

/** An HTTP server as a service: accepts once started, loses no request when stopped. */
export class HttpService implements Service {
  readonly name: string;
  readonly #options: ResolvedHttpOptions;
  #run: Run | null = null;
  #accepting: Promise<void> | null = null;

  constructor(options: HttpServiceOptions) {
    this.#options = resolveHttpOptions(options);
    this.name = this.#options.name;
  }

  /** `host:port` that it is bound to; '' before it is ready and after it has stopped. */
  get addr(): string {
    return this.#run === null ? '' : boundAddress(this.#run.server);
  }

  /** Whether clients are being asked to go elsewhere. */
  get draining(): boolean {
    return this.#run?.drain.hasBegun ?? false;
  }

  /** Connections and requests under way, by protocol; none before the start and after the stop. */
  metrics(): Iterable<MetricReading> {
    return this.#run === null ? [] : readingsOfHttp(this.name, this.#run.connections);
  }

  /** Resolves once connections are accepted; rejects where that fails. */
  ready(): Promise<void> {
    return (
      this.#accepting ??
      Promise.reject(new HostError(`hostx: http service ${this.name}: has not been started`))
    );
  }

  async start(signal: AbortSignal): Promise<void> {
    const run = this.#begin(signal);
    this.#run = run;
    this.#accepting = run.accepting;
    // The host calls `stop` right after the abort; other code need not.
    const endUnlessDraining = (): void => {
      if (!run.drain.hasBegun) run.end();
    };
    let forget = (): void => {};
    try {
      await run.accepting;
      forget = onAbort(signal, () => void setImmediate(endUnlessDraining));
      await run.ended;
    } finally {
      forget();
      run.drain.end();
      run.detach();
      if (this.#run === run) this.#run = null;
    }
  }

  /**
   * Adds `Connection: close` to every response from now on, and continues to serve; the delay counts from
   * here. The host calls it when its shutdown begins, and `stop` if that did not happen.
   *
   * @param how Default: as under a load balancer.
   * @returns for how long it keeps serving, in milliseconds
   */
  beginDrain(how?: DrainBegin): number {
    const delayMs = this.#run?.drain.begin(how) ?? 0;
    return this.#run?.server.listening === true ? delayMs : 0;
  }

  /** @throws HostError where the deadline passes first; the server has been closed forcefully. */
  async stop(deadline: Deadline): Promise<void> {
    const run = this.#run;
    if (run === null) return;
    try {
      run.drain.begin();
      await run.accepting.catch(() => {});
      if (run.server.listening) await run.drain.run(deadline);
    } finally {
      run.end();
    }
  }

  #begin(signal: AbortSignal): Run {
    const { server, http2 } = makeServer(this.#options);
    const connections = new Connections(server, http2);
    const drain = new Drain(
      server,
      connections,
      this.#options,
      () => parentLink()?.isReplaced === true,
    );
    let end = (_error?: Error): void => {};
    const ended = new Promise<void>((resolve, reject) => {
      end = (error) => (error === undefined ? resolve() : reject(error));
    });
    ended.catch(() => {});
    const onClose = (): void => end();
    const onError = (error: Error): void => end(errorIn(`http service ${this.name}`, error));
    const accept = async (): Promise<void> => {
      await this.#listen(server, signal);
      server.on('close', onClose).on('error', onError);
    };
    const accepting = accept();
    accepting.catch(() => {});
    const detach = (): void => {
      server.off('close', onClose).off('error', onError);
      connections.detach();
    };
    return { server, connections, drain, accepting, end, ended, detach };
  }

  async #listen(server: Server, signal: AbortSignal): Promise<void> {
    if (server.listening) return;
    let endpoint = this.#endpoint();
    try {
      // At once otherwise, because it may be stopped in the same turn.
      if (parentLink() !== null) {
        endpoint = await this.#shared(endpoint);
        if (signal.aborted) return;
      }
      await this.#options.listen(server, listenOptions(endpoint), signal);
    } catch (error) {
      throw listenError(error, endpoint, this.name);
    }
  }

  /** The same for all processes of the app. */
  async #shared(endpoint: Endpoint): Promise<Endpoint> {
    if ('fd' in endpoint) return endpoint;
    const { port, host } = endpoint;
    const handle = await sharedSocket({ name: this.name, port, host });
    return { port, host, handle: handle ?? undefined };
  }

  #endpoint(): Endpoint {
    const { port, host, activation } = this.#options;
    if (activation === false) return { port, host };
    const socket = claimSocket(this.name, activation);
    if (socket !== null) return socket;
    if (activation === undefined) return { port, host };
    throw new HostError(
      `hostx: http service ${this.name}: activation: no free socket named ${activation} was ` +
        'passed to this process; check FileDescriptorName= of the socket unit',
    );
  }
}

/** The figures of the connections of an HTTP service for meters. */
function* readingsOfHttp(service: string, connections: Connections): Iterable<MetricReading> {
  for (const [protocol, count] of connections.counts()) {
    const attributes = { service, protocol };
    yield {
      name: 'hostx.http.connections',
      kind: 'gauge',
      value: count.connections,
      description: 'Connections that are open; each session of HTTP/2 is one',
      attributes,
    };
    yield {
      name: 'hostx.http.requests.running',
      kind: 'gauge',
      value: count.requests,
      description: 'HTTP requests under way, streams of HTTP/2 included',
      attributes,
    };
  }
}
