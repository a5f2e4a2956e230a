import type { HttpAdapterHost } from '@nestjs/core';
import type { HttpDoor } from '../http/http-door.js';
import { watchServer } from '../patches/server-emit.js';

/**
 * Watches the server itself: frameworks answer some requests before any of their hooks.
 *
 * @returns a function that undoes it.
 */
export function watchNestServer({ httpAdapter }: HttpAdapterHost, door: HttpDoor): () => void {
  const server: unknown = httpAdapter?.getHttpServer();
  return isServer(server) ? watchServer(server, door) : () => {};
}

function isServer(value: unknown): value is Parameters<typeof watchServer>[0] {
  return typeof value === 'object' && value !== null && 'emit' in value;
}
