import { type SubjectFunc } from '@apix/authz';
import { bearerSubject } from '@apix/authz/jwt';
import { Injectable } from '@nestjs/common';
import { SignJWT } from 'jose';
import { type KeyObject, createPublicKey } from 'node:crypto';
import { signingKey } from './signing-key.js';

export const ISSUER = 'https://shop.example/demo';
export const AUDIENCE = 'shop';

/** Who tries the demo. */
export interface DemoCaller {
  readonly id: string;
  readonly roles: readonly string[];
  readonly permissions: readonly string[];
}

/** Signed in, and nothing more. */
export const PLAIN: DemoCaller = { id: 'ada', roles: ['customer'], permissions: [] };

/** May do everything. */
export const ADMIN: DemoCaller = {
  id: 'grace',
  roles: ['admin'],
  permissions: ['orders:read', 'orders:write', 'orders:delete'],
};

/** The shop itself, as the services that it calls know it. */
export const SHOP: DemoCaller = {
  id: 'shop',
  roles: ['shop'],
  permissions: ['payments:refund'],
};

/**
 * Replaces an identity provider: signs tokens with its own key. In production the shop alone uses
 * it, to show payments who calls; see `caller.ts` for who may call the shop.
 */
@Injectable()
export class DemoIssuer {
  /** Identifies callers by the tokens that this issuer signs. */
  readonly subject: SubjectFunc;
  /** Its public key as JSON, for other services. */
  readonly publicKey: string;
  private readonly privateKey: KeyObject;

  constructor() {
    this.privateKey = signingKey();
    const publicKey = createPublicKey(this.privateKey);
    this.publicKey = JSON.stringify(publicKey.export({ format: 'jwk' }));
    this.subject = bearerSubject({ jwks: publicKey, issuer: ISSUER, audience: AUDIENCE });
  }

  /** @param lifetime Default: a day. */
  token({ id, roles, permissions }: DemoCaller, lifetime = '1d'): Promise<string> {
    return new SignJWT({ roles, scope: permissions.join(' ') })
      .setProtectedHeader({ alg: 'ES256' })
      .setSubject(id)
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setIssuedAt()
      .setExpirationTime(lifetime)
      .sign(this.privateKey);
  }
}
