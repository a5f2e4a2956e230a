/** Credentials as a config has them. */
export interface Credentials {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly apiKey?: string | undefined;
}

/**
 * The Authorization header. An API key wins over basic credentials; one that is not encoded yet
 * has a colon, which base64 never has.
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
