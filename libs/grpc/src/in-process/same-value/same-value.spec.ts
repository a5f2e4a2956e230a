import type { Message } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Asked,
  KINDS,
  type Kind,
  type OddProbe,
  type Seen,
  WAYS,
  type Way,
  oddProbe,
} from './odd-probe.fixture.js';
import { type OddValue, bent, kinds } from './kinds.fixture.js';
import { NO_MESSAGES, NO_RESULTS, VALUES } from './odd-values.fixture.js';

type Seens = Partial<Record<Kind, Seen>>;

const LOCAL = WAYS.filter((way) => way !== 'network');

let probes: readonly OddProbe[];
// Here, as a host is stopped with the first test that runs after it was started in a describe.
beforeAll(async () => {
  probes = [await oddProbe(), await oddProbe({ maxReceiveBytes: 1_000, maxSendBytes: 2_000 })];
});
afterAll(() => Promise.all(probes.map((probe) => probe.close())));
const odd = (): OddProbe => probes[0]!;
const limited = (): OddProbe => probes[1]!;

async function seenOn(
  odd: OddProbe,
  way: Way,
  kindsOfCall: readonly Kind[],
  asked: () => Asked,
): Promise<Seens> {
  const seen: Seens = {};
  for (const kind of kindsOfCall) seen[kind] = await odd.ask(way, kind, asked());
  return seen;
}

/** What is seen over the network, when every other way has shown the same. */
async function sameOnAllWays(
  odd: OddProbe,
  asked: () => Asked,
  kindsOfCall: readonly Kind[] = KINDS,
): Promise<Seens> {
  const network = await seenOn(odd, 'network', kindsOfCall, asked);
  for (const way of LOCAL) {
    const clean = way === 'handed over' ? withoutCodec : (seens: Seens) => seens;
    const seen = clean(await seenOn(odd, way, kindsOfCall, asked));
    expect([way, seen]).toEqual([way, clean(network)]);
  }
  return network;
}

/** Without the words that the codec of a client of grpc-js writes before a fault: `open` uses no such codec. */
function withoutCodec(seens: Seens): Seens {
  const text = (_: string, value: unknown): unknown =>
    typeof value === 'string'
      ? value.replace(/grpc: the request of \S+ cannot be sent: /, '')
      : value;
  return JSON.parse(JSON.stringify(seens), text) as Seens;
}

describe('an answer, over all ways to a server,', () => {
  it.each(VALUES)('of %s is the same', async (_, answer) => {
    const seen = await sameOnAllWays(odd(), () => ({ answer }));
    expect(Object.keys(seen)).toEqual(KINDS);
  });

  it.each(NO_MESSAGES)(
    'that is %s is INTERNAL, and its event names the handler',
    async (_, answer) => {
      expectNamed(await sameOnAllWays(odd(), () => ({ answer })));
    },
  );

  it.each([...NO_MESSAGES, ...NO_RESULTS])(
    'of a handler that returns %s is INTERNAL, and its event names the handler',
    async (_, result) => {
      expectNamed(await sameOnAllWays(odd(), () => ({ result })));
    },
  );

  function expectNamed(seen: Seens): void {
    for (const kind of KINDS) {
      const details = 'Error serializing response';
      expect(seen[kind]).toMatchObject({ status: 'INTERNAL', details, responses: [] });
      expect(seen[kind]!.event).toContain(
        `INTERNAL ${details} grpc: what the handler of /apix.testdata.Probe/${kind} returned ` +
          'cannot be sent: apix.testdata.Kinds: expected a message or an object in its shape, got ',
      );
    }
  }

  it.each<OddValue>([
    ['nothing', () => undefined],
    ['null', () => null],
    ['an empty object', () => ({})],
    ['a promise of nothing', () => Promise.resolve()],
  ])('of a handler that returns %s is the empty message', async (_, answer) => {
    const seen = await sameOnAllWays(odd(), () => ({ answer }));
    const empty = await sameOnAllWays(odd(), () => ({ answer: () => kinds() }));
    expect(seen).toEqual(empty);
    expect(seen.Unary).toMatchObject({ status: 'OK', responses: [expect.any(String)] });
  });

  it('that names a member wrongly in a plain object has the place in its event', async () => {
    const answer = () => ({ children: [{}, { timestamp: new Date(0) }] });
    const { Unary } = await sameOnAllWays(odd(), () => ({ answer }));
    expect(Unary!.event).toContain(
      'apix.testdata.Kinds.children[1].timestamp: expected a message or an object in its shape, ' +
        'got an object of type Date',
    );
  });

  it('that its handler changes later arrives as it was sent', async () => {
    const asked = (): Asked => {
      const message = full();
      const answer = (): unknown => {
        setImmediate(() => change(message));
        return message;
      };
      return { answer };
    };
    const { Unary } = await sameOnAllWays(odd(), asked);
    expect(Unary!.responses.join('')).not.toContain('changed');
  });

  it('that its caller changes stays as it is for the handler', async () => {
    const left: unknown[] = [];
    const asked = (): Asked => {
      const message = full();
      left.push(message);
      return { answer: () => message, onResponse: change };
    };
    await sameOnAllWays(odd(), asked);
    expect(left).toHaveLength(KINDS.length * WAYS.length);
    for (const message of left) expect(message).toEqual(full());
  });
});

describe('a request, over all ways to a server,', () => {
  /**
   * Those with a single request: where a client of grpc-js cannot write the first one of a stream,
   * it leaves the stream open for good.
   */
  const FEW = ['Unary', 'ServerStream'] as const;

  /** A stream of Node does not take null, and throws at its caller. */
  const SENT = [...VALUES, ...NO_MESSAGES].filter(([name]) => name !== 'null');

  it.each(SENT)('of %s is the same', async (_, make) => {
    const asked = (): Asked => ({ requests: () => [make()], hasEvent: false });
    const seen = await sameOnAllWays(odd(), asked, FEW);
    expect(Object.keys(seen)).toEqual(FEW);
  });

  it('that its caller changes when it is sent arrives as it was', async () => {
    const asked = (): Asked => {
      const message = full();
      return { requests: () => [message], afterSending: () => change(message) };
    };
    const seen = await sameOnAllWays(odd(), asked);
    for (const kind of KINDS) expect(seen[kind]!.requests.join('')).not.toContain('changed');
  });

  it('that a handler changes stays as it is for the caller', async () => {
    const left: unknown[] = [];
    const asked = (): Asked => {
      const message = full();
      left.push(message);
      return { requests: () => [message], onRequest: change };
    };
    await sameOnAllWays(odd(), asked);
    expect(left).toHaveLength(KINDS.length * WAYS.length);
    for (const message of left) expect(message).toEqual(full());
  });
});

/** With something of each kind that can be changed within. */
function full(): Message {
  return bent({
    stringValue: 'a',
    bytesValue: new Uint8Array([1, 2]),
    child: kinds({ stringValue: 'b' }),
    stringList: ['c'],
    children: [kinds({ stringValue: 'd' })],
    textByText: { e: 'f' },
    choice: { case: 'choiceKinds', value: kinds({ stringValue: 'g' }) },
    struct: { h: ['i'] },
    $unknown: [{ no: 900, wireType: 2, data: new Uint8Array([1, 65]) }],
  });
}

function change(given: unknown): void {
  const message = given as ReturnType<typeof full> & {
    stringValue: string;
    bytesValue: Uint8Array;
    child: object;
    stringList: string[];
    children: object[];
    textByText: Record<string, string>;
    choice: { value: object };
    struct: { h: string[] };
  };
  message.stringValue = 'changed';
  message.bytesValue[0] = 99;
  Object.assign(message.child, { stringValue: 'changed' });
  message.stringList.push('changed');
  Object.assign(message.children[0]!, { stringValue: 'changed' });
  message.textByText['e'] = 'changed';
  Object.assign(message.choice.value, { stringValue: 'changed' });
  message.struct.h[0] = 'changed';
  message.$unknown![0]!.data[1] = 99;
}

describe('a message of some size, over all ways to a server,', () => {
  /** A message of so many bytes, for two of its tag and length. */
  const sized = (bytes: number, unit = 'a'): Message =>
    kinds({ stringValue: unit.repeat((bytes - 3) / Buffer.byteLength(unit)) });

  it.each([
    [1_000, 'OK'],
    [1_001, 'RESOURCE_EXHAUSTED Received message larger than max (1001 vs 1000)'],
    [5_000, 'RESOURCE_EXHAUSTED Received message larger than max (5000 vs 1000)'],
  ])('as a request of %d bytes ends as %s', async (bytes, expected) => {
    const asked = (): Asked => ({ requests: () => [sized(bytes)] });
    const seen = await sameOnAllWays(limited(), asked);
    for (const kind of KINDS) expect(wordsOf(seen[kind])).toBe(expected);
  });

  it.each([
    [2_000, 'OK'],
    [2_001, 'RESOURCE_EXHAUSTED Sent message larger than max (2006 vs. 2000)'],
    [9_000, 'RESOURCE_EXHAUSTED Sent message larger than max (9005 vs. 2000)'],
  ])('as an answer of %d bytes ends as %s', async (bytes, expected) => {
    const asked = (): Asked => ({ answer: () => sized(bytes) });
    const seen = await sameOnAllWays(limited(), asked);
    for (const kind of KINDS) expect(wordsOf(seen[kind])).toBe(expected);
  });

  it.each(['a', 'ä', '€', '😀'])('counts a text of "%s" by its bytes', async (unit) => {
    const bytes = 3 + 12 * 83;
    const asked = (): Asked => ({ requests: () => [sized(bytes, unit)] });
    const seen = await sameOnAllWays(limited(), asked);
    for (const kind of KINDS) expect(wordsOf(seen[kind])).toBe('OK');
  });
});

describe('a response of more than 4 MiB, over all ways to a server,', () => {
  const asked = (more: number) => (): Asked => ({
    answer: () => kinds({ bytesValue: new Uint8Array(4 * 1024 * 1024 - 5 + more) }),
    hasEvent: false,
  });

  it('is refused by a client that has no other limit', async () => {
    const seen = await sameOnAllWays(odd(), asked(1));
    for (const kind of KINDS) {
      expect(wordsOf(seen[kind])).toBe(
        'RESOURCE_EXHAUSTED Received message larger than max (4194305 vs 4194304)',
      );
    }
  });

  it('is taken when it is not larger', async () => {
    const seen = await sameOnAllWays(odd(), asked(0), ['Unary']);
    expect(wordsOf(seen.Unary)).toBe('OK');
  });
});

function wordsOf(seen: Seen | undefined): string {
  return seen?.status === 'OK' ? 'OK' : `${seen?.status} ${seen?.details}`;
}
