import { PREFACE, settingsFrame } from '../../tools/testing/http2-frames.js';
import { callHeaders } from './grpc-call.js';
import { methodPath } from './knock.js';
import { type RawSocket, rawSocket } from './raw-socket.js';
import type { Door, Site } from './site.js';

/** How every client of HTTP/2 begins. */
export const BEGINNING = Buffer.concat([PREFACE, settingsFrame({})]);

/** A connection that has begun as one of HTTP/2. */
export async function rawHttp2(site: Site, door: Door): Promise<RawSocket> {
  const raw = await rawSocket(site.portOf(door));
  raw.socket.write(BEGINNING);
  return raw;
}

/** The headers of a call that anyone may make. */
export function porchHeaders(door: Door): Buffer {
  return callHeaders(methodPath(door, '/strangers.v1.Porch/Echo'));
}

/** Whether the server closes a connection within this time; lets go of it. */
export async function closedWithin(raw: RawSocket, ms: number): Promise<boolean> {
  const isClosed = await raw.closed(ms);
  raw.socket.destroy();
  return isClosed;
}

/** Our own HTTP/2 ends what Node bears. */
export function isCounted(site: Site, door: Door): boolean {
  return site.stack === 'http2' && door === 'gRPC';
}
