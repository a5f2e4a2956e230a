import type { CallMetadata } from '@apix/contracts';
import type { HttpMetadata } from '@apix/calls';

const AUTHORIZATION = 'authorization';

type Params = Readonly<Record<string, unknown>>;

/**
 * The headers of a handshake. Browsers cannot set any for a WebSocket, so that clients send `authorization`
 * among their connection parameters; it counts if the handshake has none.
 */
// Why: docs/decisions/0221
export class ConnectionMetadata implements CallMetadata {
  readonly #headers: HttpMetadata;
  readonly #params: Params | undefined;

  constructor(headers: HttpMetadata, params: Params | undefined) {
    this.#headers = headers;
    this.#params = params;
  }

  get(key: string): readonly string[] {
    const values = this.isParam(key) ? [] : this.#headers.get(key);
    return values.length === 0 && key === AUTHORIZATION ? authorizationIn(this.#params) : values;
  }

  keys(): readonly string[] {
    const keys = this.#headers.keys().filter((key) => !this.isParam(key));
    const isMissing = !keys.includes(AUTHORIZATION) && this.get(AUTHORIZATION).length > 0;
    return isMissing ? [...keys, AUTHORIZATION] : keys;
  }

  /** Whether a header did not come with the handshake, but is a parameter that Mercurius put there. */
  private isParam(key: string): boolean {
    return (
      isAmong(this.#params, key) &&
      this.#headers.isKnownAsReceived &&
      this.#headers.received(key).length === 0
    );
  }
}

function isAmong(params: Params | undefined, key: string): boolean {
  return (
    params !== undefined && [params, headersIn(params)].some((each) => Object.hasOwn(each, key))
  );
}

/** Under `Authorization` of any case, or under `headers`, as Mercurius and urql have it. */
function authorizationIn(params: Params | undefined): readonly string[] {
  if (params === undefined) return [];
  return [params, headersIn(params)]
    .flatMap((each) => Object.entries(each))
    .filter(([name]) => name.toLowerCase() === AUTHORIZATION)
    .map(([, value]) => value)
    .filter((value) => typeof value === 'string');
}

function headersIn({ headers }: Params): object {
  return typeof headers === 'object' && headers !== null ? headers : {};
}
