import { type Clock, type SentRequest, sendWatched } from '@apix/contracts';
import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose';
import { createLocalJWKSet } from '../npm-install/jose.js';

/** Shorter than the subject function's default time, so that the caller learns the cause. */
const TIMEOUT_MS = 3_000;
/** A hundred times what identity providers send. */
const MAX_BYTES = 1_048_576;

/**
 * Fetches a JWKS document (RFC 7517): only from this address, within three seconds from the first byte sent
 * to the last one received, and at most one mebibyte.
 *
 * @throws Error that says what the provider did wrong.
 */
export function fetchKeys(url: URL, clock: Clock): Promise<JWTVerifyGetKey> {
  const request: SentRequest = { method: 'GET', url };
  return sendWatched(request, () => fetchWithin(request, clock));
}

async function fetchWithin(request: SentRequest, clock: Clock): Promise<JWTVerifyGetKey> {
  const { url } = request;
  const controller = new AbortController();
  const cancel = clock.after(TIMEOUT_MS, () =>
    controller.abort(new Error(`no complete answer within ${TIMEOUT_MS} ms`)),
  );
  try {
    const response = await fetch(url, {
      // Followed, a redirect could lead to an address inside the network, or to http.
      redirect: 'manual',
      headers: { accept: 'application/json, application/jwk-set+json' },
      signal: controller.signal,
    });
    request.status = response.status;
    if (response.status !== 200) {
      throw new Error(`the answer has the status ${response.status}, not 200`);
    }
    const keys = JSON.parse(await boundedText(response)) as JSONWebKeySet;
    return createLocalJWKSet(keys);
  } catch (error) {
    const { origin, pathname } = url;
    throw new Error(`authz: cannot fetch keys from ${origin}${pathname}`, {
      cause: error,
    });
  } finally {
    cancel();
    // Cancels an answer that was not read to its end; otherwise does nothing.
    controller.abort();
  }
}

async function boundedText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`the answer is longer than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
