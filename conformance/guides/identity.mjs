// An identity provider: a JWKS document, and tokens that its key signs.
import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';

export async function startIdentity() {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' };
  const server = createServer((_, response) => response.end(JSON.stringify({ keys: [jwk] })));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return {
    issuer,
    token(claims) {
      const exp = Math.floor(Date.now() / 1_000) + 3_600;
      const body = part({ iss: issuer, aud: 'shop', sub: 'ada', exp, ...claims });
      const head = `${part({ alg: 'RS256', kid: 'k1' })}.${body}`;
      return `${head}.${sign('sha256', Buffer.from(head), privateKey).toString('base64url')}`;
    },
    close: () => server.close(),
  };
}
