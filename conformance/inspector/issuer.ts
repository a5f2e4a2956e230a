import { type KeyObject, generateKeyPairSync } from 'node:crypto';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';

/** Who a token is for. */
export interface Caller {
  readonly id: string;
  readonly roles: readonly string[];
  readonly permissions?: readonly string[];
}

const ISSUER = 'https://login.example.com';
const ALGORITHM = 'ES256';

/** An identity provider with its key set at an address of this machine. */
export class Issuer {
  private constructor(
    private readonly server: Server,
    private readonly key: KeyObject,
  ) {}

  static async start(): Promise<Issuer> {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const keys = JSON.stringify({ keys: [publicKey.export({ format: 'jwk' })] });
    const server = createServer((_, res) => {
      res.writeHead(200, { 'content-type': 'application/json' }).end(keys);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Issuer(server, privateKey);
  }

  /** With what the shop takes its tokens, if they are for `audience`. */
  settings(audience: string): Readonly<Record<string, string>> {
    const { port } = this.server.address() as AddressInfo;
    return {
      AUTH_JWKS: `http://127.0.0.1:${port}/jwks.json`,
      AUTH_ISSUER: ISSUER,
      AUTH_AUDIENCE: audience,
    };
  }

  token({ id, roles, permissions = [] }: Caller, audience: string): Promise<string> {
    return new SignJWT({ roles, scope: permissions.join(' ') })
      .setProtectedHeader({ alg: ALGORITHM })
      .setSubject(id)
      .setIssuer(ISSUER)
      .setAudience(audience)
      .setExpirationTime('1h')
      .sign(this.key);
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
