import { type CryptoKey, SignJWT, exportJWK, exportSPKI, generateKeyPair } from 'jose';
import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export const ISSUER = 'https://id.example';
export const AUDIENCE = 'strangers';

/** A server of keys that can be made to misbehave. */
export interface KeyServer {
  readonly url: string;
  /** The public key as PEM, for those who would sign with it. */
  readonly pem: string;
  /** How often anything was asked for, whatever its path. */
  readonly fetched: number;
  token(header?: object): Promise<string>;
  /** Answers in another way from now on; without a listener as it should. */
  answer(listener?: RequestListener): void;
  close(): void;
}

export async function startKeyServer(): Promise<KeyServer> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const well: RequestListener = (_, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] }));
  };
  let answer = well;
  let fetched = 0;
  const server = createServer((request, response) => {
    fetched++;
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/jwks`,
    pem: await exportSPKI(publicKey),
    get fetched() {
      return fetched;
    },
    token: (header) => sign(privateKey, header),
    answer: (listener = well) => {
      answer = listener;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function sign(key: CryptoKey, header: object = {}): Promise<string> {
  return new SignJWT({ roles: ['keeper'] })
    .setProtectedHeader({ alg: 'RS256', kid: 'one', ...header })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject('keeper')
    .setExpirationTime('1h')
    .sign(key);
}
