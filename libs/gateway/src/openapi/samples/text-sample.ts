import type { Rules } from '@apix/proto/internal';
import { expressionOf, patternSample } from './pattern-sample.js';

/** A text for each format that protovalidate has a rule for; addresses are those of documentation (RFC 2606, RFC 5737). */
const OF_FORMAT: Readonly<Record<string, string>> = {
  email: 'someone@example.com',
  hostname: 'example.com',
  ip: '192.0.2.1',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  uriRef: '/path',
  address: 'example.com',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  tuuid: '123e4567e89b42d3a456426614174000',
  ulid: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
  ipWithPrefixlen: '192.0.2.1/24',
  ipv4WithPrefixlen: '192.0.2.1/24',
  ipv6WithPrefixlen: '2001:db8::1/32',
  ipPrefix: '192.0.2.0/24',
  ipv4Prefix: '192.0.2.0/24',
  ipv6Prefix: '2001:db8::/32',
  hostAndPort: 'example.com:443',
  protobufFqn: 'example.v1.Message',
  protobufDotFqn: '.example.v1.Message',
};

const OF_WELL_KNOWN_REGEX: Readonly<Record<string, string>> = {
  KNOWN_REGEX_HTTP_HEADER_NAME: 'x-example',
  KNOWN_REGEX_HTTP_HEADER_VALUE: 'example',
};

/**
 * A text that a field's rules accept; undefined if none is found.
 *
 * @param words the text without rules.
 */
export function textSample(rules: Rules, words: string): string | undefined {
  return candidates(rules, words).find((text) => fitsText(rules, text));
}

/** Whether a text keeps to the rules, apart from formats and CEL. */
export function fitsText(rules: Rules, text: string): boolean {
  const length = Array.from(text).length;
  const bytes = Buffer.byteLength(text);
  const is = (name: string, test: (wanted: string) => boolean): boolean =>
    rules[name] === undefined || test(asText(rules[name]));
  const list = (name: string): readonly unknown[] | undefined =>
    Array.isArray(rules[name]) ? rules[name] : undefined;
  return (
    is('const', (wanted) => text === wanted) &&
    (list('in')?.includes(text) ?? true) &&
    !(list('notIn')?.includes(text) ?? false) &&
    is('len', (wanted) => length === Number(wanted)) &&
    is('minLen', (wanted) => length >= Number(wanted)) &&
    is('maxLen', (wanted) => length <= Number(wanted)) &&
    is('lenBytes', (wanted) => bytes === Number(wanted)) &&
    is('minBytes', (wanted) => bytes >= Number(wanted)) &&
    is('maxBytes', (wanted) => bytes <= Number(wanted)) &&
    is('prefix', (wanted) => text.startsWith(wanted)) &&
    is('suffix', (wanted) => text.endsWith(wanted)) &&
    is('contains', (wanted) => text.includes(wanted)) &&
    is('notContains', (wanted) => !text.includes(wanted)) &&
    is('pattern', (wanted) => matches(wanted, text))
  );
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function candidates(rules: Rules, words: string): string[] {
  const list = (name: string): string[] =>
    Array.isArray(rules[name]) ? rules[name].map(String) : [];
  const text = (name: string): string => (typeof rules[name] === 'string' ? rules[name] : '');
  const least = Number(
    rules['minLen'] ?? rules['len'] ?? rules['minBytes'] ?? rules['lenBytes'] ?? 0,
  );
  const most = Number(
    rules['maxLen'] ?? rules['len'] ?? rules['maxBytes'] ?? rules['lenBytes'] ?? Infinity,
  );
  const pattern = rules['pattern'];
  const fromPattern =
    typeof pattern === 'string'
      ? [3, 1, 8, least, 16].map((length) => patternSample(pattern, length))
      : [];
  const formats = Object.keys(OF_FORMAT).filter((name) => rules[name] === true);
  const wellKnown = OF_WELL_KNOWN_REGEX[text('wellKnownRegex')];
  const framed = `${text('prefix')}${text('contains') || words}${text('suffix')}`;
  const long = framed.padEnd(least, `${words || 'x'} `);
  return [
    ...list('example'),
    ...(rules['const'] === undefined ? [] : [text('const')]),
    ...list('in'),
    ...formats.map((name) => OF_FORMAT[name]!),
    ...(wellKnown === undefined ? [] : [wellKnown]),
    framed,
    ...fromPattern.filter((sample) => sample !== undefined),
    long,
    `${long.slice(0, Math.max(0, most - text('suffix').length))}${text('suffix')}`,
    'x'.repeat(least < 10_000 ? least : 0),
  ];
}

function matches(pattern: string, text: string): boolean {
  try {
    return expressionOf(pattern).test(text);
  } catch {
    // A pattern that JavaScript does not support is ignored: a sample is still given.
    return true;
  }
}
