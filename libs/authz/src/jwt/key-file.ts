import { readFileSync } from 'node:fs';
import { JsonError, OptionsError, Reloadable, thrownText } from '@apix/contracts';
import { readJsonText } from '@apix/contracts/internal';
import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose';
import { createLocalJWKSet } from '../npm-install/jose.js';
import { PUBLIC_KEY_ALGORITHMS } from './key-algorithms.js';
import { keySetMistake } from './usable-keys.js';

/**
 * Keys of a JWKS file (RFC 7517), which may have comments. The file is read at once, and again by `reload()`:
 * `@apix/hostx` calls that on SIGHUP if the object is a provider of the app. A key that was removed is no
 * longer accepted then, except on connections that its token has opened before.
 */
@Reloadable()
export class KeyFile implements Reloadable {
  readonly name: string;
  readonly #file: string;
  /** The algorithms that each user of the keys accepts. */
  readonly #accepted: (readonly string[])[] = [PUBLIC_KEY_ALGORITHMS];
  #set: JSONWebKeySet;
  #keys: JWTVerifyGetKey;

  /** @throws OptionsError if the file cannot be read, or no token can be verified with its keys. */
  constructor(file: string) {
    this.#file = file;
    this.name = `keys of ${file}`;
    this.#set = this.#read();
    this.#keys = createLocalJWKSet(this.#set);
  }

  /** The key for a token. */
  readonly get: JWTVerifyGetKey = (header, token) => this.#keys(header, token);

  /** Reads the file again. @throws OptionsError as the constructor does; the keys then stay as they are. */
  reload(): void {
    this.#set = this.#read();
    this.#keys = createLocalJWKSet(this.#set);
  }

  /** From now on there must be a key for one of these algorithms. @throws OptionsError if there is none. */
  require(algorithms: readonly string[]): void {
    this.#assertUsable(this.#set, algorithms);
    this.#accepted.push(algorithms);
  }

  #read(): JSONWebKeySet {
    const document = this.#document();
    for (const algorithms of this.#accepted) this.#assertUsable(document, algorithms);
    return document as JSONWebKeySet;
  }

  #assertUsable(document: unknown, algorithms: readonly string[]): void {
    const mistake = keySetMistake(document, algorithms);
    if (mistake !== undefined) throw this.#error(`${this.#file} ${mistake}`);
  }

  #document(): unknown {
    const file = this.#file;
    try {
      return readJsonText(readFileSync(file, 'utf8')).value;
    } catch (cause) {
      const place = cause instanceof JsonError ? `${file}:${cause.line}` : file;
      throw this.#error(`cannot read keys from ${place}: ${thrownText(cause)}`, cause);
    }
  }

  #error(mistake: string, cause?: unknown): OptionsError {
    return new OptionsError('authz: KeyFile', [mistake], cause === undefined ? {} : { cause });
  }
}
