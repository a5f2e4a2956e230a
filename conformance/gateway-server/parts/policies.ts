import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';
import { step } from '../../chromium.js';
import { ask, askTools } from '../asked.js';
import type { Bed } from '../bed.js';
import { untilStatus } from '../gateway.js';

const ISSUER = 'https://id.example';
const AUDIENCE = 'garden';

/** The policies of the annotations, decided before the server is called. */
export async function testPolicies(bed: Bed): Promise<void> {
  const backend = await bed.python();
  const keys = await startKeys(bed);
  const tokens = Object.entries(keys.settings).flatMap(([name, value]) => [`--${name}`, value]);
  const options = ['--backend', backend.address, '--unbound', '--unannotated', 'deny'];
  const named = ['GetPlant', 'CreatePlant'].map((name) => `garden.v1.Garden.${name}`);
  options.push('--mcp', ...named.flatMap((name) => ['--mcp-tool', name]));
  const { url, command } = await bed.gateway([...options, ...tokens]);
  await untilStatus(`${url}/readyz`, 200);
  const as = (token?: string): Record<string, string> =>
    token === undefined ? {} : { authorization: `Bearer ${token}` };
  const create = async (token?: string, body: unknown = { height: 3 }) => {
    const { status } = await ask(url, '/v1/beds/south/plants', { body, headers: as(token) });
    return status;
  };
  const gardener = await keys.token(['gardener']);
  await step('401 without a token, with a forged one, and with one for somebody else', async () => {
    const [head, claims] = gardener.split('.');
    assert.equal(await create(), 401);
    assert.equal(await create(`${head}.${claims}.AAAA`), 401);
    assert.equal(await create(await keys.token(['gardener'], 'other')), 401);
  });
  await step('403 with a token of somebody else, whatever the body is', async () => {
    const guest = await keys.token(['guest']);
    assert.equal(await create(guest), 403);
    assert.equal(await create(guest, '{"height":'), 403);
  });
  await step('403 for a method without a policy where unannotated is deny', async () => {
    const headers = { authorization: `Bearer ${gardener}` };
    const { status } = await ask(url, '/garden.v1.Shed/Look', { body: { text: 'a' }, headers });
    assert.equal(status, 403);
  });
  await step('the server was not called for any of them', () =>
    assert.deepEqual(backend.calls, []),
  );
  await step('200 with the right token, and without one where the method is public', async () => {
    assert.equal(await create(gardener), 200);
    assert.equal((await ask(url, '/v1/plants/rose')).status, 200);
    assert.deepEqual(backend.calls, ['garden.v1.Garden/CreatePlant', 'garden.v1.Garden/GetPlant']);
  });
  await step('the OpenAPI document says which methods need a token', async () => {
    const { json } = await ask(url, '/openapi.json');
    const { paths } = json as { paths: Record<string, Record<string, { security?: unknown }>> };
    assert.ok(paths['/v1/beds/{bed}/plants']!['post']!.security);
    assert.ok(!paths['/v1/plants/{plant}']!['get']!.security);
  });
  await step('decisions are figures', async () => {
    const { text } = await ask(url, '/metrics');
    assert.match(text, /^apix_authz_decisions_total\{.*\} [1-9]/m);
  });
  await step('tools for agents are those that their caller may call', async () => {
    const tools = async (token?: string) => {
      const { result } = await askTools(url, 'tools/list', {}, as(token));
      return result?.tools?.map(({ name }) => name).toSorted();
    };
    assert.deepEqual(await tools(), ['Garden_GetPlant']);
    assert.deepEqual(await tools(await keys.token(['guest'])), ['Garden_GetPlant']);
    assert.deepEqual(await tools(gardener), ['Garden_CreatePlant', 'Garden_GetPlant']);
  });
  await step('a tool calls the server, and only for who may call it', async () => {
    backend.calls.length = 0;
    const create = {
      name: 'Garden_CreatePlant',
      arguments: { bed: 'south', plant: { height: 3 } },
    };
    const denied = await askTools(url, 'tools/call', create, as(await keys.token(['guest'])));
    assert.match(denied.result?.content?.[0]?.text ?? '', /^PERMISSION_DENIED: /);
    assert.deepEqual(backend.calls, []);
    const show = { name: 'Garden_GetPlant', arguments: { name: 'plants/rose' } };
    const shown = await askTools(url, 'tools/call', show, as(gardener));
    assert.equal(shown.result?.isError, undefined, JSON.stringify(shown));
    assert.deepEqual(backend.calls, ['garden.v1.Garden/GetPlant']);
  });
  await step('without keys it says at the start that the server has to enforce them', async () => {
    const open = await bed.gateway(['--backend', backend.address]);
    await open.command.said(/no policy is enforced here, as jwks is not set/);
    open.command.kill();
  });
  await command.stop();
}

/** A provider of tokens, and what to tell the gateway of it. */
export async function startKeys(bed: Bed) {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
  const server = createServer((_req, res) => res.end(JSON.stringify({ keys: [jwk] })));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  bed.add(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    settings: { jwks: `http://127.0.0.1:${port}/jwks.json`, issuer: ISSUER, audience: AUDIENCE },
    token: (roles: readonly string[], audience = AUDIENCE) =>
      new SignJWT({ roles })
        .setProtectedHeader({ alg: 'ES256', kid: 'one' })
        .setIssuer(ISSUER)
        .setAudience(audience)
        .setSubject('ada')
        .setExpirationTime('5m')
        .sign(privateKey),
  };
}
