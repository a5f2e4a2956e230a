import { type ServerOptions, status } from '@grpc/grpc-js';
import type { SentStatus } from './answer-status.js';

/** The largest messages of a call, in bytes on the wire. */
export interface ByteLimits {
  /** Of messages that the server receives. */
  readonly request: number;
  /** Of messages that the server sends. */
  readonly sent: number;
  /** Of messages that the client receives. */
  readonly response: number;
}

/** The default limit of grpc-js. */
const DEFAULT_RECEIVED = 4 * 1024 * 1024;

/** The flag and the length before a message. */
const HEAD_BYTES = 5;

/** The limits of a server, by the options that grpc-js has them in. */
export function serverLimits(options: ServerOptions): Omit<ByteLimits, 'response'> {
  return {
    request: receiveLimit(options['grpc.max_receive_message_length']),
    sent: limitOf(options['grpc.max_send_message_length'] ?? -1),
  };
}

/** A limit of received messages as in grpc-js: -1 for no limit. Default: 4 MiB. */
export function receiveLimit(bytes: number = DEFAULT_RECEIVED): number {
  return limitOf(bytes);
}

function limitOf(bytes: number): number {
  return bytes === -1 ? Infinity : bytes;
}

/** The reason why bytes are not sent, in the words of grpc-js, which counts the head of the message. */
export function tooLargeToSend(body: unknown, maxBytes: number): SentStatus | undefined {
  if (!Buffer.isBuffer(body) || body.length <= maxBytes) return undefined;
  return exhausted(`Sent message larger than max (${body.length + HEAD_BYTES} vs. ${maxBytes})`);
}

/** The reason why bytes are not read, in the words of grpc-js. */
export function tooLargeToRead(body: unknown, maxBytes: number): SentStatus | undefined {
  if (!Buffer.isBuffer(body) || body.length <= maxBytes) return undefined;
  return exhausted(`Received message larger than max (${body.length} vs ${maxBytes})`);
}

function exhausted(details: string): SentStatus {
  return { code: status.RESOURCE_EXHAUSTED, details, metadata: null };
}
