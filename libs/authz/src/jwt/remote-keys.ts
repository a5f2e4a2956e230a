import { type Clock } from '@apix/contracts';
import { type SentRequest, sendWatched } from '@apix/contracts/internal';
import type { JWTVerifyGetKey, JSONWebKeySet } from 'jose';
import { errors, createLocalJWKSet } from '../npm-install/jose.js';

/** How long keys are used before they are asked for again. */
const MAX_AGE_MS = 600_000;
/** The minimum time between two fetches, for all callers; after failures the waits grow up to it. */
const COOLDOWN_MS = 30_000;
const FIRST_WAIT_MS = 1_000;

type Key = Awaited<ReturnType<JWTVerifyGetKey>>;

/**
 * The keys of an identity provider. Fetched when first needed, every ten minutes, and when a key id is not
 * known: one fetch at a time for all callers, and none within the cooldown after it, which is shorter
 * after a failure. While the provider fails, the known keys stay in use. Why: docs/decisions/0020
 */
export class RemoteKeys {
  readonly #url: URL;
  readonly #clock: Clock;
  readonly #maxUseMs: number;
  #keys: JWTVerifyGetKey | undefined;
  #fetchedAt = 0;
  /** Of the last fetch; undefined when it succeeded. */
  #failure: unknown;
  #failures = 0;
  #nextFetchAt = 0;
  #pending: Promise<void> | undefined;

  /** @param maxStaleMs how long keys are used beyond their ten minutes. */
  constructor(url: URL, maxStaleMs: number, clock: Clock) {
    this.#url = url;
    this.#clock = clock;
    this.#maxUseMs = MAX_AGE_MS + maxStaleMs;
  }

  /**
   * @throws the last failure, if there are no keys, or only keys that are too old to include the token's;
   *   what jose's key set throws if the token's key is not among them.
   */
  async get(...[header, token]: Parameters<JWTVerifyGetKey>): Promise<Key> {
    const age = this.#keys === undefined ? Infinity : this.#clock.now() - this.#fetchedAt;
    // If the clock was set back, the age is unknown.
    if (age < 0 || age >= MAX_AGE_MS) {
      const refreshed = this.#refresh();
      // Nothing waits for a provider that has failed before to fail again.
      if (this.#failures === 0 || age >= this.#maxUseMs) await refreshed;
    }
    const keys = this.#usable();
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await this.#refresh();
      if (this.#failures > 0) throw this.#failure;
      const now = this.#usable();
      if (now === keys) throw error;
      return now(header, token);
    }
  }

  #usable(): JWTVerifyGetKey {
    const isTooOld = this.#clock.now() - this.#fetchedAt >= this.#maxUseMs;
    if (this.#keys === undefined || (isTooOld && this.#failures > 0)) throw this.#failure;
    return this.#keys;
  }

  /** Joins the fetch under way, or begins one unless it is too soon. Never rejects. */
  #refresh(): Promise<void> {
    if (this.#pending !== undefined) return this.#pending;
    const left = this.#nextFetchAt - this.#clock.now();
    // More than the longest wait is left only where the clock was set back.
    if (left > 0 && left <= COOLDOWN_MS) return Promise.resolve();
    this.#pending = this.#fetch().finally(() => (this.#pending = undefined));
    return this.#pending;
  }

  async #fetch(): Promise<void> {
    try {
      this.#keys = await fetchKeys(this.#url, this.#clock);
      this.#fetchedAt = this.#clock.now();
      this.#failures = 0;
      this.#nextFetchAt = this.#fetchedAt + COOLDOWN_MS;
    } catch (error) {
      const wait = Math.min(FIRST_WAIT_MS * 2 ** this.#failures, COOLDOWN_MS);
      this.#failure = error;
      this.#failures++;
      this.#nextFetchAt = this.#clock.now() + wait;
    }
  }
}

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
function fetchKeys(url: URL, clock: Clock): Promise<JWTVerifyGetKey> {
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
