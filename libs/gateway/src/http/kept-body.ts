import type { IncomingMessage } from 'node:http';
import { Code, StatusError } from '@apix/contracts';
import { HttpRefusal } from '../errors.js';

/** Where middleware keeps the bytes of a body: Nest's `rawBody: true`, and body-parser's `raw()`. */
interface Keeper {
  readonly rawBody?: unknown;
  readonly body?: unknown;
}

/**
 * The body of a request that a middleware has read before the gateway, as it was sent; undefined if nothing
 * has read it.
 *
 * @throws HttpRefusal when the bytes are gone: the result of a parser has lost digits of 64-bit integers,
 *   and members that were given twice.
 */
// Why: docs/decisions/0032
export function keptBody(req: IncomingMessage): Buffer | undefined {
  if (!req.readableDidRead) return undefined;
  const { rawBody, body } = req as Keeper;
  const bytes = [rawBody, body].find((it) => it instanceof Uint8Array);
  if (bytes !== undefined) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  throw new HttpRefusal(
    new StatusError(
      Code.INTERNAL,
      `request body: a middleware has read it before the gateway; let it leave this path alone, or keep the bytes in req.rawBody`,
    ),
  );
}
