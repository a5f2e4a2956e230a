import { expect, it } from '@jest/globals';
import * as registry from '@opentelemetry/semantic-conventions';
import { HTTP_KEYS } from './http-attributes.js';

const known = new Set<unknown>(Object.values(registry));

it.each(Object.entries(HTTP_KEYS).filter(([, key]) => !/^apix\.|\.$/.test(key)))(
  '%s is an attribute of the stable conventions: %s',
  (_, key) => {
    expect(known).toContain(key);
  },
);

it('prefixes are those of the conventions for headers', () => {
  expect(registry.ATTR_HTTP_REQUEST_HEADER('x')).toBe(`${HTTP_KEYS.requestHeader}x`);
  expect(registry.ATTR_HTTP_RESPONSE_HEADER('x')).toBe(`${HTTP_KEYS.responseHeader}x`);
});

it('the duration is the metric of the conventions', () => {
  expect(registry.METRIC_HTTP_SERVER_REQUEST_DURATION).toBe('http.server.request.duration');
});
