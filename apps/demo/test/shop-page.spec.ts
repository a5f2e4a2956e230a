import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Shop, openShop } from './shop.fixture.js';

describe('the page of the shop', () => {
  let shop: Shop;
  beforeAll(async () => void (shop = await openShop()), 90_000);
  afterAll(() => shop.close());

  const get = async (path: string) => {
    const response = await fetch(`${shop.http}${path}`);
    return { response, text: await response.text() };
  };

  it('loads every module that its script imports, from the shop itself', async () => {
    const page = await get('/shop');
    expect(page.response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self' 'sha256-[^']+'; style-src 'self'; connect-src 'self'; /,
    );
    const [, map = ''] = /<script type="importmap">(.*?)<\/script>/s.exec(page.text) ?? [];
    const hash = createHash('sha256').update(map).digest('base64');
    expect(page.response.headers.get('content-security-policy')).toContain(`'sha256-${hash}'`);
    const { imports } = JSON.parse(map) as { readonly imports: Readonly<Record<string, string>> };
    const seen = new Set<string>();
    const load = async (url: string): Promise<void> => {
      if (seen.has(url)) return;
      seen.add(url);
      const { response, text } = await get(url);
      expect([url, response.status]).toEqual([url, 200]);
      expect(response.headers.get('content-type')).toMatch(/^text\/javascript/);
      const found = [...text.matchAll(/^(?:import|export)[^'"]*?from ["']([^"']+)["']/gms)];
      for (const [, name = ''] of found) {
        const next = name.startsWith('.')
          ? new URL(name, `${shop.http}${url}`).pathname
          : imports[name];
        expect([url, name, next]).toEqual([url, name, expect.any(String)]);
        await load(next!);
      }
    };
    await load('/shop/page.js');
    expect(seen.size).toBeGreaterThan(50);
    expect((await get('/shop/page.css')).response.headers.get('content-type')).toMatch(
      /^text\/css/,
    );
    expect((await get('/shop/shop.binpb')).text).toContain('shop.v1');
  });

  it.each([
    'modules/@bufbuild/protobuf/package.json',
    'modules/@bufbuild/protobuf/dist/cjs/index.js',
    'modules/@bufbuild/protobuf/dist/esm/%2e%2e/%2e%2e/%2e%2e/esbuild/install.js',
    'modules/@bufbuild/protobuf/dist/esm/..%2f..%2fpackage.json',
    'modules/esbuild/dist/esm/index.js',
    'modules/@connectrpc/connect/dist/esm/none.js',
  ])('gives nothing else away: %s', async (path) => {
    expect((await get(`/shop/${path}`)).response.status).toBe(404);
  });
});
