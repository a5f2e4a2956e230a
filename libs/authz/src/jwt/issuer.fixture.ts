import { type CryptoKey, SignJWT, exportJWK, generateKeyPair } from 'jose';
import { once } from 'node:events';
import { type RequestListener, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export const ISSUER = 'https://id.example';
export const AUDIENCE = 'shop';

/** An identity provider on this machine: it signs tokens and serves its public keys. */
export interface Issuer {
  readonly jwks: string;
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
  /** How often the keys were asked for. */
  readonly fetched: number;
  /** Resolves when the keys were asked for so often. */
  asked(times: number): Promise<void>;
  /** Resolves when every request for the keys was answered or given up. */
  idle(): Promise<void>;
  /** A good token for five minutes, with these claims and header changed. */
  token(claims?: object, header?: object): Promise<string>;
  /** Answers requests for the keys in another way from now on. */
  serve(listener: RequestListener): void;
  close(): void;
}

export async function startIssuer(algorithm = 'ES256'): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const key = { ...(await exportJWK(publicKey)), kid: 'one', alg: algorithm, use: 'sig' };
  let fetched = 0;
  let answer: RequestListener = (_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ keys: [key] }));
  };
  const open = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    fetched++;
    open.add(response);
    response.once('close', () => open.delete(response));
    // A kept connection that the server closes in the same moment would fail a fetch.
    response.setHeader('connection', 'close');
    answer(request, response);
    server.emit('asked');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    jwks: `http://127.0.0.1:${port}/jwks`,
    publicKey,
    privateKey,
    get fetched() {
      return fetched;
    },
    async asked(times) {
      const isDone = (): boolean => fetched >= times;
      while (!isDone()) await once(server, 'asked');
    },
    async idle() {
      await Promise.all([...open].map((response) => once(response, 'close')));
    },
    token: (claims = {}, header = {}) => {
      const good = { iss: ISSUER, aud: AUDIENCE, sub: 'ada', exp: seconds(300) };
      return new SignJWT({ ...good, ...claims })
        .setProtectedHeader({ alg: algorithm, kid: 'one', ...header })
        .sign(privateKey);
    },
    serve(listener) {
      answer = listener;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A moment, in seconds from now, as tokens have it. */
export function seconds(fromNow: number): number {
  return Math.floor(Date.now() / 1_000) + fromNow;
}
