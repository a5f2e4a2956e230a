import type { Random } from '../random.js';
import type { Pairs } from './random-encoder.js';

const PATHS = ['/', '/', '/', '/a?b=c', '/early', '/hold', '/big', '/trailers', '/reset'];
const FIELDS: Pairs = [
  ['accept', '*/*'],
  ['accept-encoding', 'gzip, deflate'],
  ['content-type', 'application/grpc'],
  ['cookie', 'a=b'],
  ['cookie', 'c=d'],
  ['te', 'trailers'],
  ['user-agent', 'bed/1'],
  ['x-a', '1'],
  ['x-a', '2'],
  ['x-b', ' spaces around '],
  ['x-empty', ''],
  ['x-latin', 'caf\u00e9'],
  ['x-tab', 'a\tb'],
  ['authorization', 'Bearer t'],
];

/** What a request has, and what is odd about it. */
export interface RandomRequest {
  readonly path: string;
  readonly headers: Pairs;
}

type Change = (headers: Pairs, random: Random) => Pairs;

const without =
  (name: string): Change =>
  (all) =>
    all.filter(([it]) => it !== name);
const first =
  (...pair: [string, string]): Change =>
  (all) => [pair, ...all];
const last =
  (...pair: [string, string]): Change =>
  (all) => [...all, pair];
const set =
  (name: string, value: string): Change =>
  (all) =>
    all.map(([it, old]) => [it, it === name ? value : old]);

/** Changes to the headers of a request, few of which leave it well-formed. */
const CHANGES: readonly Change[] = [
  ...[':method', ':scheme', ':path', ':authority'].map(without),
  ...[':method', ':path', ':scheme', ':authority'].map((name) => last(name, 'x')),
  ...[':method', ':path', ':scheme', ':authority'].map((name) => first(name, '/')),
  ...[':method', ':path', ':scheme', ':authority'].map((name) => set(name, '')),
  set(':method', 'get'),
  set(':method', 'G T'),
  set(':method', 'HEAD'),
  set(':method', 'OPTIONS'),
  set(':method', 'CONNECT'),
  (all) =>
    set(':method', 'CONNECT')(
      all.filter(([it]) => it !== ':path' && it !== ':scheme'),
      NONE,
    ),
  (all) => first(':protocol', 'websocket')(set(':method', 'CONNECT')(all, NONE), NONE),
  (all) => set(':path', '*')(set(':method', 'OPTIONS')(all, NONE), NONE),
  set(':path', '*'),
  set(':path', 'a/b'),
  set(':path', '/a b'),
  set(':path', '/\u00e9'),
  set(':path', '/a\tb'),
  set(':scheme', 'ftp'),
  set(':scheme', 'h t'),
  set(':authority', 'user@a'),
  set(':authority', 'a b'),
  set(':authority', 'a/b'),
  first(':status', '200'),
  first(':other', 'a'),
  first('x-before', 'a'),
  last('X-Upper', 'a'),
  last('x upper', 'a'),
  last('x-\u00e9', 'a'),
  last('', 'a'),
  last('x-break', 'a\r\nb: c'),
  last('x-nul', 'a\0b'),
  last('x-del', 'a\u007fb'),
  last('connection', 'close'),
  last('keep-alive', '1'),
  last('proxy-connection', 'close'),
  last('transfer-encoding', 'chunked'),
  last('upgrade', 'h2c'),
  last('te', 'gzip'),
  last('te', 'Trailers'),
  last('host', 'evil'),
  last('host', 'localhost'),
  (all) => [...all.filter(([it]) => it !== ':authority'), ['host', 'a']],
  (all) => [...all.filter(([it]) => it !== ':authority'), ['host', 'a'], ['host', 'b']],
  last('content-length', '5'),
  last('content-length', '05'),
  last('content-length', '-1'),
  last('content-length', '+5'),
  last('content-length', ''),
  last('content-length', '5, 5'),
  last('content-length', '99999999999999999999'),
  (all) => [...all, ['content-length', '5'], ['content-length', '5']],
  (all) => [...all, ['content-length', '5'], ['content-length', '6']],
  (all) => [...all, ...Array.from({ length: 130 }, (_, n): [string, string] => [`n-${n}`, ''])],
  last('x-long', 'y'.repeat(20_000)),
  last('x-long', 'y'.repeat(70_000)),
  (all, random) => shuffled(all, random),
  () => [],
];
const NONE = undefined as unknown as Random;

export function randomRequest(random: Random): RandomRequest {
  const path = random.pick(PATHS);
  const pseudo = shuffled(
    [
      [':method', random.pick(['GET', 'POST', 'PUT'])],
      [':scheme', random.pick(['http', 'https'])],
      [':path', path],
      [':authority', 'localhost'],
    ],
    random,
  );
  const fields = FIELDS.filter(() => random.below(8) === 0);
  return { path, headers: [...pseudo, ...fields] };
}

export function changed(headers: Pairs, random: Random): Pairs {
  return random.pick(CHANGES)(headers, random);
}

export function randomTrailers(random: Random): Pairs {
  return random.pick<Pairs>([
    [['x-t', '1']],
    [['x-t', '1']],
    [['x-t', '1']],
    [],
    [[':path', '/']],
    [['X-T', '1']],
    [['connection', 'close']],
    [['content-length', '7']],
    [['host', 'b']],
    [['te', 'gzip']],
  ]);
}

function shuffled(all: Pairs, random: Random): Pairs {
  return all
    .map((it) => [random.next(), it] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, it]) => it);
}
