/** The credentials in a config. */
export interface Credentials {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly apiKey?: string | undefined;
}

/**
 * The Authorization header. An API key takes precedence over basic credentials. If it contains a colon, which
 * base64 never does, it is not encoded yet.
 */
export function authorizationOf({ username, password, apiKey }: Credentials): string | undefined {
  if (apiKey !== undefined && apiKey !== '') {
    return `ApiKey ${apiKey.includes(':') ? base64(apiKey) : apiKey}`;
  }
  return username === undefined ? undefined : `Basic ${base64(`${username}:${password ?? ''}`)}`;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
