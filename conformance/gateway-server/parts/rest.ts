import assert from 'node:assert/strict';
import { step } from '../../chromium.js';
import { ask } from '../asked.js';
import type { Bed } from '../bed.js';
import { untilStatus } from '../gateway.js';

const PAGE = 'https://garden.example';

/** Rules of HTTP, errors, and what stands beside the API. */
export async function testRest(bed: Bed): Promise<void> {
  const { address } = await bed.python();
  const options = ['--backend', address, '--cors-origin', PAGE, '--title', 'Garden', '--http2'];
  const { url, command } = await bed.gateway(options);
  await untilStatus(`${url}/readyz`, 200);
  await testRules(url);
  await testErrors(url);
  await step(
    'the OpenAPI document has every rule but those of WebSockets, and its title',
    async () => {
      const { json } = await ask(url, '/openapi.json');
      const { info, paths } = json as { info: { title: string }; paths: Record<string, object> };
      assert.equal(info.title, 'Garden');
      assert.deepEqual(Object.keys(paths), [
        '/v1/plants/{plant}',
        '/v1/plants',
        '/v1/beds/{bed}/plants',
        '/v1/plants:watch',
        '/v1/plants:water',
      ]);
    },
  );
  await step('the document of a set with comments has them, and is the same else', async () => {
    const local = await bed.gateway([...options, '--descriptors', bed.places.sets.garden]);
    const full = (await ask(local.url, '/openapi.json')).text;
    assert.match(full, /Makes a plant\./);
    const bare = (await ask(url, '/openapi.json')).text;
    assert.deepEqual(schemasIn(bare), schemasIn(full));
  });
  await step('health answers by the ways of Kubernetes', async () => {
    for (const path of ['/healthz', '/readyz', '/startupz']) {
      assert.equal((await ask(url, path)).status, 200, path);
    }
  });
  await step('figures count the requests by their status', async () => {
    const { text, headers } = await ask(url, '/metrics');
    assert.match(headers['content-type']!, /^text\/plain/);
    assert.match(text, /^apix_gateway_requests_total\{[^}]*status="404"[^}]*\} [1-9]/m);
    assert.match(text, /^hostx_host_up\S* 1$/m);
  });
  await step('a page of the allowed origin gets its preflight, and no other', async () => {
    const preflight = (origin: string) =>
      ask(url, '/v1/beds/south/plants', {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      });
    const allowed = await preflight(PAGE);
    assert.equal(allowed.status, 204);
    assert.equal(allowed.headers['access-control-allow-origin'], PAGE);
    const other = await preflight('https://other.example');
    assert.equal(other.headers['access-control-allow-origin'], undefined);
    const read = await ask(url, '/v1/plants/rose', { headers: { origin: PAGE } });
    assert.equal(read.headers['access-control-allow-origin'], PAGE);
  });
  await step('HTTP/2 is answered on the same port', async () => {
    const { status, text } = await overHttp2(url, '/v1/plants/rose');
    assert.deepEqual([status, JSON.parse(text)], [200, { name: 'plants/rose', height: 120 }]);
  });
  await step('each request is a line of the log', async () => {
    const { out } = await command.stop();
    assert.match(out, /"message":"GET \/v1\/plants\/rose -> 200"/);
    assert.match(out, /"handler":"\/garden.v1.Garden\/CreatePlant"/);
  });
}

/** Of a document, without comments. */
function schemasIn(text: string): object {
  const isComment = (key: string, value: unknown): boolean =>
    key === 'description' && typeof value === 'string';
  const { components } = JSON.parse(text, (key, value: unknown) =>
    isComment(key, value) ? undefined : value,
  ) as { components: { schemas: object } };
  return components.schemas;
}

async function testRules(url: string): Promise<void> {
  await step('a path becomes a field', async () => {
    const { status, json } = await ask(url, '/v1/plants/rose');
    assert.deepEqual([status, json], [200, { name: 'plants/rose', height: 120 }]);
  });
  await step('a query becomes fields, lists of values too', async () => {
    const { json } = await ask(url, '/v1/plants?min_height=1000&beds=south&beds=north');
    assert.deepEqual(json, { plants: [{ name: 'plants/oak', height: 2500, bed: 'south, north' }] });
  });
  await step('a body becomes the field that the rule names', async () => {
    const body = { name: 'plants/ivy', height: 30 };
    const { json } = await ask(url, '/v1/beds/south/plants', { body });
    assert.deepEqual(json, { ...body, bed: 'south' });
  });
}

async function testErrors(url: string): Promise<void> {
  await step('an error of the server is a problem document', async () => {
    const { status, json, headers } = await ask(url, '/v1/plants/none');
    assert.equal(headers['content-type'], 'application/problem+json');
    assert.deepEqual(
      [status, json],
      [
        404,
        {
          type: 'about:blank',
          title: 'Not Found',
          status: 404,
          detail: 'no plants/none here',
          code: 'NOT_FOUND',
        },
      ],
    );
  });
  await step('its google.rpc.BadRequest is a list of fields', async () => {
    const body = { height: -1 };
    const { status, json } = await ask(url, '/v1/beds/south/plants', { body });
    const { errors } = json as { errors: unknown };
    assert.equal(status, 400);
    assert.deepEqual(errors, [{ field: 'plant.height', detail: 'must not be negative' }]);
  });
  await step('what is wrong with a request is said before the server is called', async () => {
    const post = (body: string) => ask(url, '/v1/beds/south/plants', { body });
    assert.equal((await post('{"height":"tall"}')).status, 400);
    assert.equal((await post('{"height":')).status, 400);
    assert.equal((await ask(url, '/v1/plants?nope=1')).status, 400);
    assert.equal((await ask(url, '/v2/nothing')).status, 404);
    assert.equal((await ask(url, '/v1/plants/rose', { method: 'DELETE' })).status, 405);
  });
}

/** With prior knowledge, as proxies do it. */
async function overHttp2(url: string, path: string) {
  const { connect } = await import('node:http2');
  const session = connect(url);
  try {
    const stream = session.request({ ':path': path });
    const status = await new Promise<number>((resolve, reject) =>
      stream.once('response', (headers) => resolve(headers[':status']!)).once('error', reject),
    );
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    return { status, text };
  } finally {
    session.close();
  }
}
