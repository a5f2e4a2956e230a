import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import {
  ACK,
  END_HEADERS,
  END_STREAM,
  FRAME,
  FrameReader,
  frame as h2Frame,
} from '../../../tools/testing/http2-frames.js';
import { callHeaders, frame } from '../grpc-call.js';
import { methodPath } from '../knock.js';
import { toolRequest } from '../mcp-call.js';
import { BEGINNING, rawHttp2 } from '../raw-http2.js';
import { rawSocket } from '../raw-socket.js';
import type { Attack } from '../row.js';
import type { Door } from '../site.js';

const MB = 2 ** 20;
/** So much would have to be kept by who keeps every answer. */
const LIMITS = { bytes: 256 * MB, ms: 6_000 } as const;
const TEXT = 'x'.repeat(8_000);

/** Field 1 of a note: a text of 8,000 bytes. */
const NOTE = Buffer.concat([Buffer.from([0x0a, 0xc0, 0x3e]), Buffer.from(TEXT)]);

/**
 * Talks without listening over HTTP/2: opens the window for what the server reads by sending on as
 * fast as it is granted, and grants nothing itself.
 */
export const unreadOverGrpc: Attack = async (site, door) => {
  const raw = await rawHttp2(site, door);
  const headers = callHeaders(methodPath(door, '/strangers.v1.Porch/Talk'));
  raw.socket.write(h2Frame(FRAME.headers, END_HEADERS, 1, headers));
  const granted = windowOf(raw.socket);
  const data = h2Frame(FRAME.data, 0, 1, frame(NOTE));
  const end = performance.now() + LIMITS.ms;
  let sent = 0;
  while (!raw.isClosed() && sent < LIMITS.bytes && performance.now() < end) {
    if (granted() - sent < data.length || raw.socket.writableLength > MB) {
      await sleep(1);
      continue;
    }
    raw.socket.write(data);
    sent += data.length - 9;
  }
  raw.socket.destroy();
  return `${megabytes(sent)} were taken`;
};

const INITIAL = 65_535;

/** How many bytes of DATA the server has granted on its only stream, as it reads on. */
function windowOf(socket: Socket): () => number {
  let [connection, stream] = [INITIAL, INITIAL];
  const reader = new FrameReader();
  socket.on('data', (chunk: Buffer) => {
    for (const { type, flags, stream: id, payload } of reader.read(chunk)) {
      if (type === FRAME.windowUpdate && id === 0) connection += payload.readUInt32BE(0);
      if (type === FRAME.windowUpdate && id !== 0) stream += payload.readUInt32BE(0);
      if (type !== FRAME.settings || (flags & ACK) !== 0) continue;
      stream += initialWindow(payload) - INITIAL;
      socket.write(h2Frame(FRAME.settings, ACK, 0));
    }
  });
  return () => Math.min(connection, stream);
}

/** SETTINGS_INITIAL_WINDOW_SIZE (RFC 9113, section 6.5.2). */
function initialWindow(settings: Buffer): number {
  for (let at = 0; at + 6 <= settings.length; at += 6) {
    if (settings.readUInt16BE(at) === 4) return settings.readUInt32BE(at + 2);
  }
  return INITIAL;
}

/** Talks without listening over a WebSocket. */
export const unreadOverWebSocket: Attack = async (site, door) => {
  const raw = await rawSocket(site.portOf(door));
  raw.socket.write(
    'GET /api/v1/porch:talk HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  );
  const answer = await raw.until(/\r\n\r\n/, 3_000);
  if (!answer.startsWith('HTTP/1.1 101')) return answer.slice(0, 12);
  raw.socket.pause();
  const sent = await raw.pour(wsText(JSON.stringify({ text: TEXT })), LIMITS);
  raw.socket.destroy();
  return `${megabytes(sent)} were taken`;
};

/** Asks once for more than anybody would keep, and does not read. */
export const unreadAnswersOfOne: Attack = async (site, door) => {
  const raw = await rawSocket(site.portOf(door));
  raw.socket.pause();
  if (door === 'gRPC' || door === 'gRPC on the shared port') {
    const headers = callHeaders(methodPath(door, '/strangers.v1.Porch/Pour'));
    raw.socket.write(BEGINNING);
    raw.socket.write(h2Frame(FRAME.headers, END_HEADERS, 1, headers));
    raw.socket.write(h2Frame(FRAME.data, END_STREAM, 1, frame(new Uint8Array())));
  } else if (!door.startsWith('SSE')) raw.socket.write(streamRequest(door, 'Porch/Pour'));
  else {
    raw.socket.write(
      'GET /api/v1/porch:pour HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n',
    );
  }
  await sleep(LIMITS.ms);
  raw.socket.destroy();
  return 'done';
};

/** A call of a stream by Connect, gRPC-Web or MCP, over HTTP/1. */
export function streamRequest(door: Door, method: string): Buffer {
  if (door === 'MCP') {
    const { path, headers, body } = toolRequest(method.replace('/', '_'), '{}', {
      progressToken: 1,
    });
    const lines = Object.entries(headers!).map(([name, value]) => `${name}: ${String(value)}\r\n`);
    const length = `Content-Length: ${body!.length}`;
    const all = `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}${length}\r\n\r\n`;
    return Buffer.from(`${all}${String(body)}`);
  }
  const type = door.startsWith('Connect')
    ? 'application/connect+json'
    : 'application/grpc-web+json';
  const body = frame(Buffer.from('{}'));
  const head =
    `POST ${methodPath(door, `/strangers.v1.${method}`)} HTTP/1.1\r\nHost: x\r\n` +
    `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

/** A text frame of 126 to 65,535 bytes (RFC 6455, section 5.2), masked with zeros. */
function wsText(text: string): Buffer {
  const head = Buffer.from([0x81, 0xfe, 0, 0, 0, 0, 0, 0]);
  head.writeUInt16BE(text.length, 2);
  return Buffer.concat([head, Buffer.from(text)]);
}

function megabytes(bytes: number): string {
  return `${(bytes / MB).toFixed(0)} MB`;
}
