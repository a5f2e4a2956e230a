import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Code } from '@apix/contracts';
import { describe, expect, it } from '@jest/globals';
import { isOwnWords } from './own-words.js';

const folder = dirname(createRequire(import.meta.url).resolve('@grpc/grpc-js'));
const sourceOf = (file: string): string => readFileSync(join(folder, file), 'utf8');

/** What a text of grpc-js is in its source, an example of it, and the codes that it has. */
const WORDS: readonly (readonly [
  file: string,
  source: string,
  example: string,
  codes: readonly (keyof typeof Code)[],
])[] = [
  ['call.js', "'Cancelled on client'", 'Cancelled on client', ['CANCELLED']],
  ['resolving-call.js', "'Cancelled by parent call'", 'Cancelled by parent call', ['CANCELLED']],
  ['subchannel-call.js', "'Call cancelled'", 'Call cancelled', ['CANCELLED']],
  [
    'retrying-call.js',
    "'Discarded in favor of other hedged attempt'",
    'Discarded in favor of other hedged attempt',
    ['CANCELLED'],
  ],
  ['resolving-call.js', "'Deadline exceeded'", 'Deadline exceeded', ['DEADLINE_EXCEEDED']],
  [
    'resolving-call.js',
    '`Deadline exceeded after ${',
    'Deadline exceeded after 0.300s,remote_addr=10.0.0.5:443',
    ['DEADLINE_EXCEEDED'],
  ],
  ['deadline.js', ".toFixed(3) + 's'", 'Deadline exceeded after 0.050s', ['DEADLINE_EXCEEDED']],
  [
    'subchannel-call.js',
    "'Protocol not secure enough'",
    'Protocol not secure enough',
    ['PERMISSION_DENIED'],
  ],
  [
    'subchannel-call.js',
    "'Bandwidth exhausted or memory limit exceeded'",
    'Bandwidth exhausted or memory limit exceeded',
    ['RESOURCE_EXHAUSTED'],
  ],
  [
    'stream-decoder.js',
    '`Received message larger than max (${',
    'Received message larger than max (16777216 vs 4194304)',
    ['RESOURCE_EXHAUSTED'],
  ],
  [
    'compression-filter.js',
    '`Received message that decompresses to a size larger than ${',
    'Received message that decompresses to a size larger than 4194304',
    ['RESOURCE_EXHAUSTED'],
  ],
  [
    'compression-filter.js',
    '`Attempted to send message with a size larger than ${',
    'Attempted to send message with a size larger than 0',
    ['RESOURCE_EXHAUSTED'],
  ],
  [
    'compression-filter.js',
    "'Failed to decompress gzip-encoded message'",
    'Failed to decompress gzip-encoded message',
    ['INTERNAL'],
  ],
  ['client.js', "'Too many responses received'", 'Too many responses received', ['UNIMPLEMENTED']],
  ['client.js', "'No message received'", 'No message received', ['UNIMPLEMENTED']],
  [
    'subchannel-call.js',
    '`Received RST_STREAM with code ${',
    'Received RST_STREAM with code 2 triggered by internal client error: read EPIPE',
    ['INTERNAL'],
  ],
  [
    'subchannel-call.js',
    '`Write error: ${',
    'Write error: write EPIPE',
    ['INTERNAL', 'UNAVAILABLE'],
  ],
  [
    'subchannel-call.js',
    '`Write failed with error ${',
    'Write failed with error The stream has been destroyed',
    ['UNAVAILABLE'],
  ],
  [
    'client-interceptors.js',
    '`Request message serialization failure: ${',
    'Request message serialization failure: secret',
    ['INTERNAL'],
  ],
  [
    'client-interceptors.js',
    '`Response message parsing error: ${',
    'Response message parsing error: secret',
    ['INTERNAL'],
  ],
  ['subchannel-call.js', "'Connection dropped'", 'Connection dropped', ['UNAVAILABLE']],
  ['subchannel-call.js', "'Stream refused by server'", 'Stream refused by server', ['UNAVAILABLE']],
  [
    'subchannel-call.js',
    'details = this.internalError.message',
    'read ECONNRESET',
    ['UNAVAILABLE'],
  ],
  [
    'subchannel-call.js',
    '`Received HTTP status code ${',
    'Received HTTP status code 403',
    ['UNAUTHENTICATED', 'PERMISSION_DENIED', 'UNIMPLEMENTED', 'UNAVAILABLE', 'UNKNOWN', 'INTERNAL'],
  ],
  [
    'subchannel-call.js',
    "'No status information received'",
    'No status information received',
    ['UNKNOWN'],
  ],
  [
    'load-balancing-call.js',
    '`Getting metadata from plugin failed with error: ${',
    'Getting metadata from plugin failed with error: secret',
    ['UNAUTHENTICATED', 'PERMISSION_DENIED', 'UNAVAILABLE'],
  ],
  [
    'resolving-call.js',
    "'Failed to route call to method ' +",
    'Failed to route call to method /s/M',
    ['UNAUTHENTICATED', 'UNIMPLEMENTED', 'INTERNAL'],
  ],
];

describe('the texts of grpc-js', () => {
  it.each(WORDS)('in %s still have %s', (file, source) => {
    expect(sourceOf(file)).toContain(source);
  });

  it.each(WORDS)('in %s, from %s, are told by: %s', (_file, _source, example, codes) => {
    expect(codes.filter((code) => !isOwnWords(Code[code] as number, example))).toEqual([]);
  });

  /** A place that is new here may have words that are missing from the list. */
  it('with a code that servers use too come from the places that are known', () => {
    const places = readdirSync(folder)
      .filter((file) => /^(?!server|single-|orca).*\.js$/.test(file))
      .map((file) => [file, sourceOf(file).match(OWN_CHOICE)?.length ?? 0] as const)
      .filter(([, count]) => count > 0);
    expect(Object.fromEntries(places)).toEqual({
      'call.js': 4,
      'client.js': 4,
      'compression-filter.js': 3,
      'resolving-call.js': 3,
      'retrying-call.js': 1,
      'subchannel-call.js': 7,
    });
  });
});

/** Codes with which a text decides even where it is not known whether response headers came. */
const OWN_CHOICE =
  /Status\.(?:CANCELLED|DEADLINE_EXCEEDED|PERMISSION_DENIED|RESOURCE_EXHAUSTED|UNIMPLEMENTED|UNAUTHENTICATED)\b/g;
