import { describe, expect, it } from '@jest/globals';
import { served } from '../scrape.fixture.js';
import { prometheusHandler } from './prometheus-handler.js';

describe('the Prometheus handler', () => {
  const counted = (options = {}) => {
    const made = prometheusHandler(options);
    made.meterProvider.getMeter('shop').createCounter('orders', { description: 'Orders' }).add(2);
    return made;
  };

  it('serves what was recorded with its provider, in the text format', async () => {
    await served(counted().handler, async (url) => {
      const response = await fetch(url);
      expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.text()).toContain(
        '# HELP orders_total Orders\n# TYPE orders_total counter\n' +
          'orders_total{otel_scope_name="shop"} 2\n',
      );
    });
  });

  it.each([
    ['OTEL_SERVICE_NAME', 'zzz', 'service_name="zzz"'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'shop.zone=north', 'shop_zone="north"'],
  ])('describes its target by %s', async (variable, value, label) => {
    const before = process.env[variable];
    process.env[variable] = value;
    try {
      await served(counted().handler, async (url) => {
        const text = await (await fetch(url)).text();
        expect(text.split('\n').find((line) => line.startsWith('target_info{'))).toContain(label);
      });
    } finally {
      if (before === undefined) delete process.env[variable];
      else process.env[variable] = before;
    }
  });

  it('leaves out the scope on request', async () => {
    await served(counted({ scopeInfo: false }).handler, async (url) => {
      expect(await (await fetch(url)).text()).toContain('\norders_total 2\n');
    });
  });

  it.each([
    ['text/plain;q=0', 406],
    ['*/*;q=0', 406],
    ['application/openmetrics-text, text/plain;version=0.0.4;q=0.5, */*;q=0.1', 200],
    ['application/json', 200],
  ])('answers a scrape with the Accept %s with %d', async (accept, status) => {
    await served(counted().handler, async (url) => {
      const response = await fetch(url, { headers: { accept } });
      expect([response.status, (await response.text()) === '']).toEqual([status, status === 406]);
    });
  });

  it('answers HEAD without a body, and nothing but GET and HEAD', async () => {
    await served(counted().handler, async (url) => {
      const head = await fetch(url, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
      const post = await fetch(url, { method: 'POST' });
      expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    });
  });

  it('answers 500 when nothing can be collected', async () => {
    const beforeScrape = (): void => {
      throw new Error('broken');
    };
    await served(counted({ beforeScrape }).handler, async (url) => {
      expect((await fetch(url)).status).toBe(500);
    });
  });
});
