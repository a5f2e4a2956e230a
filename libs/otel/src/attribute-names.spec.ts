import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';
import * as registry from '@opentelemetry/semantic-conventions/incubating';
import * as graphql from './graphql/graphql-attributes.js';
import { HTTP_KEYS } from './http/http-attributes.js';
import * as messages from './messages/message-attributes.js';
import * as providers from './providers/attribute-keys.js';
import * as requests from './requests/request-attributes.js';
import * as runtime from './runtime/runtime-names.js';
import * as rpc from './tracing/rpc-attributes.js';
import * as spans from './tracing/span-attributes.js';

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
const NOT_OF_THE_REGISTRY = /^(?:apix|hostx)\.|\.$/;

const NAMES = [HTTP_KEYS, rpc, spans, messages, graphql, requests, providers, runtime]
  .flatMap((names) => Object.values<unknown>(names))
  .filter((name): name is string => typeof name === 'string' && !NOT_OF_THE_REGISTRY.test(name));

it.each([...new Set(NAMES), 'rpc.server.call.duration', 'http.server.active_requests'])(
  '%s is a name of the conventions that nothing has replaced',
  (name) => expect(current).toContain(name),
);

it('a name that was replaced is not among them', () => {
  expect(current).not.toContain('messaging.kafka.offset');
  expect(current.size).toBeGreaterThan(500);
});
