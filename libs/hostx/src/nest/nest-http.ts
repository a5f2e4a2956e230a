import type { Server } from 'node:http';
import { networkInterfaces } from 'node:os';
import type { Deadline } from '@apix/contracts';
import type { INestApplication } from '@nestjs/common';
import { HostError } from '../errors.js';
import { claimSocket } from '../http/activation.js';
import { HttpService } from '../http/http-service.js';
import type { Service } from '../service.js';
import type { NestHttpOptions } from './hostx-options.js';

/**
 * The HTTP server of a Nest app as a service. `listen` opens it, so that Nest knows about it;
 * from then on it is an {@link HttpService}, which stops without losing a request.
 */
export class NestHttp implements Service {
  readonly name: string;
  readonly #http: HttpService;
  readonly #listen: (signal: AbortSignal) => Promise<void>;
  #listening: Promise<void> | null = null;
  #isServing = false;

  /** @throws HostError that lists every mistake in the options. */
  constructor(
    server: Server,
    options: NestHttpOptions,
    listen: (signal: AbortSignal) => Promise<void>,
  ) {
    const { port: _, ...own } = options;
    this.#http = new HttpService({ ...own, activation: false, server });
    this.name = this.#http.name;
    this.#listen = listen;
  }

  async start(signal: AbortSignal): Promise<void> {
    this.#listening = this.#listen(signal);
    await this.#listening;
    if (signal.aborted) return;
    this.#isServing = true;
    await this.#http.start(signal).finally(() => (this.#isServing = false));
  }

  async ready(): Promise<void> {
    await this.#listening;
    await this.#http.ready();
  }

  /** Asks clients to go elsewhere; the drain's delay counts from here. */
  beginDrain(): void {
    this.#http.beginDrain();
  }

  async stop(deadline: Deadline): Promise<void> {
    // A start that is only about to listen must not open what nobody would close.
    await this.#listening?.catch(() => {});
    if (this.#isServing) await this.#http.stop(deadline);
  }
}

/** The app's own server, which the host opens. */
export function nestHttpService(app: INestApplication, options: NestHttpOptions): NestHttp {
  const server = app.getHttpServer() as Server;
  return new NestHttp(server, options, async () => {
    const [port, host] = endpoint(app, options);
    await (host === undefined ? app.listen(port) : app.listen(port, host));
  });
}

/** What `app.listen` is called with: a socket that was passed to the process, or an address. */
function endpoint(app: INestApplication, options: NestHttpOptions): [number, string?] {
  const { activation } = options;
  const socket = activation === false ? null : claimSocket(options.name ?? 'http', activation);
  // Both adapters take what the type of `listen` leaves out: an object for net.Server.listen.
  if (socket !== null) return [{ fd: socket.fd } as unknown as number];
  if (typeof activation === 'string') {
    throw new HostError(`no socket called ${activation} was passed to this process`);
  }
  const port = options.port ?? Number(process.env['PORT'] || 3000);
  const host = options.host ?? defaultHost(app.getHttpAdapter().getType());
  return host === undefined ? [port] : [port, host];
}

/** Fastify alone would listen on the loopback addresses only, unreachable in a container. */
function defaultHost(platform: string): string | undefined {
  if (platform !== 'fastify') return undefined;
  const addresses = Object.values(networkInterfaces()).flat();
  return addresses.some((address) => address?.family === 'IPv6') ? '::' : '0.0.0.0';
}
