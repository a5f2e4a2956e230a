import { get } from 'node:http';
import { get as getSecurely } from 'node:https';
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';
import type { Ports } from './ports.js';

const PROBE_MS = 100;
/** Failed probes in a row until an instance gets no more connections. */
const THRESHOLD = 2;

interface Backend {
  readonly ports: Ports;
  failures: number;
  isReady: boolean;
}

/**
 * A balancer of TCP connections (L4), such as a Kubernetes service: it picks a ready instance
 * for each connection, round robin, knows nothing of requests, and tries nothing twice.
 */
export class Balancer {
  readonly #servers: Server[] = [];
  readonly #backends = new Map<Ports, Backend>();
  readonly #timer: NodeJS.Timeout;
  #turn = 0;

  constructor() {
    this.#timer = setInterval(() => {
      for (const backend of this.#backends.values()) probe(backend);
    }, PROBE_MS);
  }

  /** Its own ports on the loopback interface. */
  async listen(): Promise<Ports> {
    return { http: await this.#open('http'), grpc: await this.#open('grpc') };
  }

  add(ports: Ports): void {
    this.#backends.set(ports, { ports, failures: 0, isReady: true });
  }

  remove(ports: Ports): void {
    this.#backends.delete(ports);
  }

  close(): void {
    clearInterval(this.#timer);
    for (const server of this.#servers) server.close();
  }

  async #open(protocol: 'http' | 'grpc'): Promise<number> {
    const server = createServer({ allowHalfOpen: true }, (client) =>
      this.#forward(client, protocol),
    );
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  #forward(client: Socket, protocol: 'http' | 'grpc'): void {
    const ready = [...this.#backends.values()].filter(({ isReady }) => isReady);
    const backend = ready[this.#turn++ % ready.length];
    if (backend === undefined) return void client.destroy();
    const port = backend.ports[protocol];
    const upstream = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    client.pipe(upstream).pipe(client);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.setNoDelay(true);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroySoon());
    }
  }
}

function probe(backend: Backend): void {
  const verdict = (ok: boolean): void => {
    backend.failures = ok ? 0 : backend.failures + 1;
    backend.isReady = backend.failures < THRESHOLD;
  };
  const { http: port, isTls } = backend.ports;
  const where = { port, host: '127.0.0.1', path: '/readyz', agent: false, timeout: 1_000 };
  const asked = (isTls === true ? getSecurely : get)(
    { ...where, rejectUnauthorized: false },
    (response) => {
      response.resume();
      verdict(response.statusCode === 200);
    },
  );
  asked.on('timeout', () => asked.destroy());
  asked.on('error', () => verdict(false));
}
