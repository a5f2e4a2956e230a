import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { envelope } from '../connect/wire/frames.js';
import { following } from './http-streams.js';
import type { Client } from './load.js';
import { pathOf } from './probe.js';

/** Callers of each protocol, with a connection each. */
const CALLERS = 24;
const STREAMS = 10;
/** Parts of an upload, and the pause between them, so that some are under way at a stop. */
const PARTS = 5;
const PART_MS = 2;

/** The flag of the last frame of a stream of Connect, and of gRPC-Web. */
const END = { connect: 0b10, 'grpc-web': 0x80 } as const;
type Protocol = keyof typeof END;

/** Clients of Connect and gRPC-Web over HTTP/1, unary and client streams, and server streams that stay open. */
export function rpcClients(port: number): readonly Client[] {
  return (['connect', 'grpc-web'] as const).flatMap((protocol) => [
    ...Array.from({ length: CALLERS }, () => calling(port, protocol)),
    ...Array.from({ length: STREAMS }, () =>
      following('stream', (stop) => followStream(port, protocol, stop)),
    ),
  ]);
}

/** A caller that calls, waits for the answer, thinks and calls again; nothing is retried. */
function calling(port: number, protocol: Protocol): Client {
  return async (tally, stop, think) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!stop.aborted) {
      const dice = Math.random();
      const kind = dice < 0.1 ? 'slow' : dice < 0.2 ? 'upload' : 'now';
      const isUpload = kind === 'upload';
      const parts = Array.from({ length: isUpload ? PARTS : 1 }, () => kind);
      const method = isUpload ? 'ClientStream' : 'Unary';
      const answer = call({ port, protocol, method, agent }, parts);
      await tally.request(kind, isUpload ? String(PARTS) : kind, answer);
      await think();
    }
    agent.destroy();
  };
}

interface Target {
  readonly port: number;
  readonly protocol: Protocol;
  readonly method: 'Unary' | 'ClientStream' | 'ServerStream';
  readonly agent: Agent | false;
}

/** Resolves with the text of the answer, or with what went wrong. */
function call(target: Target, parts: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const sent = open(target, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(textIn(Buffer.concat(chunks), response.statusCode)));
      response.on('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    void (async () => {
      for (const [at, part] of parts.entries()) {
        if (at > 0) await sleep(PART_MS);
        sent.write(messageOf(target, part));
      }
      sent.end();
    })();
  });
}

const isBare = ({ protocol, method }: Target): boolean =>
  protocol === 'connect' && method === 'Unary';

function open(target: Target, answered: (response: IncomingMessage) => void) {
  const { port, protocol, method, agent } = target;
  const type = isBare(target) ? 'json' : `${protocol}+json`;
  const headers = { 'content-type': `application/${type}` };
  const path = pathOf(method);
  return request({ port, host: '127.0.0.1', path, agent, method: 'POST', headers }, answered);
}

function messageOf(target: Target, text: string): Buffer {
  const json = Buffer.from(JSON.stringify({ stringValue: text }));
  return isBare(target) ? json : envelope(0, json);
}

/** Of the first message; of an answer without one, all of it. */
function textIn(body: Buffer, status: number | undefined): string {
  const text = body.toString('latin1');
  return /"stringValue":"(\w+)"/.exec(text)?.[1] ?? `status ${status}: ${text}`;
}

/** A server stream, which has to end with OK. */
function followStream(port: number, protocol: Protocol, stop: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    const sent = open({ port, protocol, method: 'ServerStream', agent: false }, (response) => {
      let text = '';
      let last: Uint8Array = new Uint8Array();
      response.on('data', (chunk: Buffer) => {
        text = (text + chunk.toString('latin1')).slice(-1_000);
        last = chunk;
      });
      response.on('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)));
      response.on('end', () => {
        const isOk =
          protocol === 'connect' ? text.endsWith('{}') : text.endsWith('grpc-status: 0\r\n');
        const hasEnded = last.includes(END[protocol]) && isOk;
        resolve(hasEnded && text.includes('stringValue') ? 'told to go' : `ended with ${text}`);
      });
    });
    stop.addEventListener('abort', () => (resolve('done'), sent.destroy()), { once: true });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.end(messageOf({ port, protocol, method: 'ServerStream', agent: false }, ''));
  });
}
