import { SwaggerUiOptionsError } from '../errors.js';
import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { SwaggerUiOptions } from '../options.js';
import { type SwaggerUiHandlerOptions, swaggerUi } from './swagger-ui.js';

const shop = { openapi: '3.1.0', info: { title: 'Shop', version: '1' }, paths: {} };
const one: SwaggerUiOptions = { specs: [{ name: 'shop.json', document: shop }] };

const closes: (() => void)[] = [];
afterEach(() => {
  for (const close of closes.splice(0)) close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  closes.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const docs = (options: SwaggerUiHandlerOptions = one) => {
  const handle = swaggerUi(options);
  return serve((req, res) => handle(req, res));
};

describe('the page', () => {
  it.each(['/docs', '/docs/', '/docs?x=1'])('asked for as %s finds its files', async (path) => {
    const origin = await docs({ ...one, path: '/docs', title: 'A <b> & "c"' });
    const page = await fetch(origin + path);
    const html = await page.text();
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(html).toContain('<title>A &#60;b&#62; &#38; &#34;c&#34;</title>');
    const named = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, file]) => file ?? '');
    expect(named).toHaveLength(6);
    const answers = await Promise.all(named.map((file) => fetch(new URL(file, page.url))));
    expect(answers.map(({ status, url }) => [status, new URL(url).pathname])).toEqual(
      named.map((file) => [200, `/docs/${file.slice(file.lastIndexOf('/') + 1)}`]),
    );
  });

  it('allows no inline script or style, and no request to another host', async () => {
    const page = await fetch(await docs());
    expect(await page.text()).not.toMatch(/<script>|<style| style=| on\w+=/);
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
        "font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
        "frame-ancestors 'none'",
    );
  });

  it('may call the hosts of linked specs and those of the option', async () => {
    const { headers } = await fetch(
      await docs({
        specs: [...one.specs, { url: 'https://a.example/openapi.json' }, { url: '/here.json' }],
        connect: ['http://b.example:8080'],
      }),
    );
    expect(headers.get('content-security-policy')).toContain(
      "connect-src 'self' http://b.example:8080 https://a.example;",
    );
  });

  it('lies behind a router that takes the prefix away', async () => {
    const handle = swaggerUi(one);
    const origin = await serve((req, res) => {
      const url = req.url ?? '';
      handle(Object.assign(req, { originalUrl: url, url: url.slice('/docs'.length) || '/' }), res);
    });
    const page = await fetch(`${origin}/docs`);
    expect(await page.text()).toContain('src="./docs/initializer.js"');
    expect(await (await fetch(`${origin}/docs/shop.json`)).json()).toEqual(shop);
  });
});

describe('specs', () => {
  it.each([
    ['shop.json', shop, 'application/json', JSON.stringify(shop)],
    ['shop.json', () => Promise.resolve(shop), 'application/json', JSON.stringify(shop)],
    ['shop', '{"openapi":"3.1.0"}', 'application/json', '{"openapi":"3.1.0"}'],
    ['shop.yaml', Buffer.from('openapi: 3.1.0\n'), 'application/yaml', 'openapi: 3.1.0\n'],
    ['shop.yml', 'openapi: 3.1.0\n', 'application/yaml', 'openapi: 3.1.0\n'],
  ])('are served under their name: %s of %p as %s', async (name, document, type, text) => {
    const answer = await fetch(`${await docs({ specs: [{ name, document }] })}/${name}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
    expect(await answer.text()).toBe(text);
  });

  it('are named to the page in their order', async () => {
    const first = await (await fetch(`${await docs()}/initializer.js`)).text();
    expect(first).toContain('[{"name":"shop.json","url":"./shop.json"}]');
    const two = { specs: [...one.specs, { name: 'other', url: '/other' }] };
    const both = await (await fetch(`${await docs(two)}/initializer.js`)).text();
    expect(both).toContain(
      '[{"name":"shop.json","url":"./shop.json"},{"name":"other","url":"/other"}]',
    );
  });

  it('that cannot be made are 500, and an error for the framework', async () => {
    const specs = [{ name: 'a.json', document: () => Promise.reject(new Error('no document')) }];
    expect((await fetch(`${await docs({ specs })}/a.json`)).status).toBe(500);
    const handle = swaggerUi({ specs });
    const told = await serve((req, res) => handle(req, res, (error) => res.end(String(error))));
    expect(await (await fetch(`${told}/a.json`)).text()).toBe('Error: no document');
  });
});

describe('files', () => {
  it('are compressed for whom takes that, and are not sent again', async () => {
    const url = `${await docs()}/swagger-ui-bundle.js`;
    const plain = await fetch(url, { headers: { 'accept-encoding': 'gzip;q=0' } });
    const small = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
    const encodings = [plain, small].map(({ headers }) => headers.get('content-encoding'));
    expect(encodings).toEqual([null, 'gzip']);
    expect(await small.text()).toBe(await plain.text());
    const etag = plain.headers.get('etag') ?? '';
    const again = await fetch(url, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it.each([
    ['*', 304],
    ['"other,", W/{etag}', 304],
    ['"other", {etag}', 304],
    ['"other"', 200],
  ])('are known by an If-None-Match of %s: %d', async (known, status) => {
    const url = `${await docs()}/swagger-ui.css`;
    const etag = (await fetch(url)).headers.get('etag') ?? '';
    const headers = { 'if-none-match': known.replace('{etag}', etag) };
    expect((await fetch(url, { headers })).status).toBe(status);
  });

  it.each([
    ['gzip;q=0.000', null],
    ['GZIP;q=0.5', 'gzip'],
    ['*', 'gzip'],
    ['*;q=0', null],
    ['br;x="gzip"', null],
    ['gzip;q=0, *', null],
  ])('are compressed for the Accept-Encoding %s as %s', async (coding, expected) => {
    const url = `${await docs()}/swagger-ui.css`;
    const answer = await fetch(url, { headers: { 'accept-encoding': coding } });
    expect(answer.headers.get('content-encoding')).toBe(expected);
  });

  it.each([
    ['/', 'text/html;q=0', 406],
    ['/', 'text/html, */*;q=0', 200],
    ['/shop.json', 'application/json;q=0', 406],
    ['/shop.json', 'text/html', 200],
    ['/swagger-ui.css', 'text/*;q=0', 406],
  ])('at %s, for the Accept %s, are answered with %d', async (path, accept, status) => {
    const answer = await fetch((await docs()) + path, { headers: { accept } });
    expect([answer.status, (await answer.text()) === '']).toEqual([status, status === 406]);
  });

  it('answer HEAD with the headers alone', async () => {
    const answer = await fetch(`${await docs()}/shop.json`, { method: 'HEAD' });
    expect([answer.headers.get('content-length'), await answer.text()]).toEqual(['68', '']);
  });

  it.each([
    ['GET', '/docs/nothing', 404],
    ['GET', '/docs//', 404],
    ['GET', '/docs/package.json', 404],
    ['GET', '/docs/../package.json', 404],
    ['GET', '/docs/%2e%2e/package.json', 404],
    ['GET', '/docs/__proto__', 404],
    ['GET', '/elsewhere', 404],
    ['GET', '/docsx', 404],
    ['POST', '/docs/', 405],
  ])('%s %s is %d, or for the next handler', async (method, path, status) => {
    const options = { ...one, path: '/docs' };
    expect((await fetch((await docs(options)) + path, { method })).status).toBe(status);
    const handle = swaggerUi(options);
    const passing = await serve((req, res) => handle(req, res, () => res.writeHead(299).end()));
    expect((await fetch(passing + path, { method })).status).toBe(299);
  });
});

describe('options', () => {
  it.each<[unknown, RegExp]>([
    [{ specs: [] }, /^swagger-ui: specs: must be a list of at least one document$/],
    [{}, /specs: must be a list/],
    [{ specs: 'shop.json' }, /specs: must be a list/],
    [{ specs: [null] }, /specs\[0\]: must have a name and a document, or a url/],
    [{ specs: [{ name: 'x' }] }, /specs\[0\]: must have/],
    [{ specs: [...one.specs, ...one.specs] }, /"shop.json" is given twice/],
    [{ specs: [{ name: 'a/b', document: {} }] }, /"a\/b" is not a file name/],
    [{ specs: [{ name: '..', document: {} }] }, /"\.\." is not a file name/],
    [{ specs: [{ name: 'index.html', document: {} }] }, /is a file of the page itself/],
    [
      { ...one, connect: ['a.example'] },
      /connect\[0\]: must be an origin such as "https:\/\/api.example", not "a.example"/,
    ],
    [{ ...one, connect: ['https://a.example/x; script-src *'] }, /must be an origin/],
    [{ ...one, connect: 5 }, /connect: must be an array of origins, not 5/],
    [{ ...one, title: 5 }, /title: must be a string, not 5/],
    [{ ...one, titel: 'Shop' }, /titel: is not known here; did you mean title\?/],
    [{ specs: [{ name: 'a', documents: {}, url: '/a' }] }, /specs\[0\].documents: is not known/],
    [{ specs: [{ ...one.specs[0], urls: '/a' }] }, /specs\[0\].urls: is not known here/],
    [{ ...one, persistAuthorization: 'yes' }, /persistAuthorization: must be true or false/],
  ])('%j are refused', (options, message) => {
    expect(() => swaggerUi(options as SwaggerUiOptions)).toThrow(message);
  });

  it('that are wrong are all reported together', () => {
    const options = { specs: [], title: 5, connect: ['x'] } as unknown as SwaggerUiOptions;
    expect(() => swaggerUi(options)).toThrow(
      'swagger-ui: 3 mistakes:\n  specs: must be a list of at least one document\n  ' +
        'title: must be a string, not 5\n  ' +
        'connect[0]: must be an origin such as "https://api.example", not "x"',
    );
    expect(() => swaggerUi(options)).toThrow(SwaggerUiOptionsError);
  });
});
