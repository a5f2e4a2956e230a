import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuthzModule, Requires } from '@apix/authz';
import { KeyFile, bearerSubject } from '@apix/authz/jwt';
import { startHost } from '@apix/hostx/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module } from '@nestjs/common';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';

const folder = mkdtempSync(join(tmpdir(), 'apix-key-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

@Controller()
class Reports {
  @Get('reports')
  @Requires({})
  list(): string {
    return 'in';
  }
}

async function signer(kid: string) {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const claims = new SignJWT().setProtectedHeader({ alg: 'ES256', kid }).setIssuer('us');
  const token = await claims.setAudience('shop').setExpirationTime('5m').sign(privateKey);
  return { jwk: { ...(await exportJWK(publicKey)), kid }, token };
}

describe('an app whose keys are in a file that it provides', () => {
  it('takes the new keys with a reload of its host, and keeps the old ones if they are wrong', async () => {
    const file = join(folder, 'keys.json');
    const [first, second] = await Promise.all([signer('first'), signer('second')]);
    const write = (...keys: readonly object[]) => writeFileSync(file, JSON.stringify({ keys }));
    write(first.jwk);
    const keys = new KeyFile(file);
    const subject = bearerSubject({ jwks: keys, issuer: 'us', audience: 'shop' });
    @Module({
      imports: [AuthzModule.forRoot({ subject })],
      providers: [{ provide: KeyFile, useValue: keys }],
      controllers: [Reports],
    })
    class App {}
    const { app, host, stop } = await startHost(App, { http: { port: 0, host: '127.0.0.1' } });
    const url = await app!.getUrl();
    const statuses = () =>
      Promise.all(
        [first, second].map(async ({ token }) => {
          const headers = { authorization: `Bearer ${token}` };
          return (await fetch(`${url}/reports`, { headers })).status;
        }),
      );
    expect(await statuses()).toEqual([200, 401]);
    write();
    await expect(host.reload()).rejects.toThrow(`authz: KeyFile: ${file} has no keys`);
    expect(await statuses()).toEqual([200, 401]);
    write(second.jwk);
    await host.reload();
    expect(await statuses()).toEqual([401, 200]);
    await stop();
  });
});
