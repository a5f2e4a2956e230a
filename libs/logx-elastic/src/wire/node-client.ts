import type http from 'node:http';
import type https from 'node:https';
import type { ElasticTls } from '../config/elastic-config.js';
import type { HttpClient, HttpReply, HttpRequest } from './http-client.js';

/** A longer reply is rejected; 64 MiB is a thousand times the usual size. */
const MAX_REPLY_BYTES = 64 * 1024 * 1024;

/** Uses Node's http and https with persistent connections. */
export class NodeClient implements HttpClient {
  readonly #http: http.Agent;
  readonly #https: https.Agent;

  constructor(maxSockets: number, tls: ElasticTls) {
    const options = { keepAlive: true, maxSockets };
    const { Agent } = process.getBuiltinModule('node:http');
    const { Agent: TlsAgent } = process.getBuiltinModule('node:https');
    this.#http = new Agent(options);
    this.#https = new TlsAgent({ ...options, ...(tls as https.AgentOptions) });
  }

  async post(request: HttpRequest): Promise<HttpReply> {
    return new Promise((resolve, reject) => this.#send(request, resolve, reject));
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  #send(
    post: HttpRequest,
    resolve: (reply: HttpReply) => void,
    reject: (error: Error) => void,
  ): void {
    const { url, headers, body, signal } = post;
    const secure = url.protocol === 'https:';
    const options = {
      method: 'POST',
      agent: secure ? this.#https : this.#http,
      headers: { ...headers, 'content-length': String(body.byteLength) },
      signal,
    };
    let isAnswered = false;
    const client = process.getBuiltinModule(secure ? 'node:https' : 'node:http');
    const request = client.request(url, options, (response) => {
      isAnswered = true;
      const parts: Buffer[] = [];
      let bytes = 0;
      response.on('data', (part: Buffer) => {
        parts.push(part);
        bytes += part.length;
        if (bytes > MAX_REPLY_BYTES) response.destroy(new Error('the reply is too long'));
      });
      // Also emitted for a connection that ended in the middle of the reply.
      response.on('error', reject);
      response.on('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: parts.length === 1 ? parts[0]! : Buffer.concat(parts),
        });
      });
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The node closed the connection while it was idle; that does not mean that the node is down.
      const wasIdle = request.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '');
      if (wasIdle && !isAnswered && !signal.aborted) {
        this.#send(post, resolve, reject);
      } else {
        reject(error);
      }
    });
    request.end(body);
  }
}
