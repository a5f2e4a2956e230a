import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { type ReceivedSpan, decodeSpans } from './received-span.js';

/** Takes spans by OTLP over HTTP, in protobuf. */
export class Receiver {
  readonly spans: ReceivedSpan[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      void this.#take(request, response);
    });
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1/traces`;
  }

  /** Spans of a trace, and of those that are linked to it. */
  trace(traceId: string): ReceivedSpan[] {
    const own = this.spans.filter((span) => span.traceId === traceId);
    const ids = new Set(own.map(({ spanId }) => spanId));
    const linked = this.spans.filter(
      (span) => span.traceId !== traceId && span.links.some((id) => ids.has(id)),
    );
    const others = new Set(linked.map((span) => span.traceId));
    return this.spans.filter((span) => span.traceId === traceId || others.has(span.traceId));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const whole = await buffer(request);
    const bytes = request.headers['content-encoding'] === 'gzip' ? gunzipSync(whole) : whole;
    this.spans.push(...decodeSpans(bytes));
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
