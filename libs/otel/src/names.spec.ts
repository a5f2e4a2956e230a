import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import * as stable from '@opentelemetry/semantic-conventions';
import * as registry from '@opentelemetry/semantic-conventions/incubating';
import * as names from './names.js';

/** Of the registry's own declarations, which say what has been replaced. */
const DEPRECATED = /\/\*\*(?:(?!\*\/)[^])*@deprecated(?:(?!\*\/)[^])*\*\/\s*declare const (\w+)/g;

function currentNames(): Set<unknown> {
  const entry = '@opentelemetry/semantic-conventions/incubating';
  const folder = dirname(createRequire(import.meta.url).resolve(entry));
  const declared = readdirSync(folder)
    .filter((file) => file.endsWith('.d.cts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
  const replaced = new Set([...declared.matchAll(DEPRECATED)].map(([, name]) => name));
  const current = Object.entries(registry).filter(([name]) => !replaced.has(name));
  return new Set(current.map(([, value]) => value));
}

const current = currentNames();

/** Names of our own, the value of an attribute, and what names of headers come after. */
const NOT_OF_THE_REGISTRY = /^(?:@?apix|hostx)[./]|\.$/;

const NAMES = Object.values<string>(names).filter((name) => !NOT_OF_THE_REGISTRY.test(name));

it.each([...NAMES, 'rpc.server.call.duration', 'http.server.active_requests'])(
  '%s is a name of the conventions that nothing has replaced',
  (name) => expect(current).toContain(name),
);

it('a name that was replaced is not among them', () => {
  expect(current).not.toContain('messaging.kafka.offset');
  expect(current.size).toBeGreaterThan(500);
});

describe('for HTTP', () => {
  const OF_HTTP =
    /^(?:HTTP|URL|SERVER|CLIENT|ERROR|USER_AGENT|NETWORK_PROTOCOL_VERSION)(?!.*(?:_PREFIX|ENDED_BY)$)/;
  const known = new Set<unknown>(Object.values(stable));
  const ofHttp = Object.entries(names).filter(([constant]) => OF_HTTP.test(constant));

  it('15 attributes are named', () => expect(ofHttp).toHaveLength(15));

  it.each(ofHttp)('%s is an attribute of the stable conventions: %s', (_, key) => {
    expect(known).toContain(key);
  });

  it('prefixes are those of the conventions for headers', () => {
    expect(stable.ATTR_HTTP_REQUEST_HEADER('x')).toBe(`${names.HTTP_REQUEST_HEADER_PREFIX}x`);
    expect(stable.ATTR_HTTP_RESPONSE_HEADER('x')).toBe(`${names.HTTP_RESPONSE_HEADER_PREFIX}x`);
  });

  it('the duration is the metric of the conventions', () => {
    expect(stable.METRIC_HTTP_SERVER_REQUEST_DURATION).toBe('http.server.request.duration');
  });
});
