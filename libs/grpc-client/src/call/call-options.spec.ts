import { OptionsError } from '@apix/contracts';
import { Metadata } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { fakeClient } from '../../../grpc/src/testing/fake-client.js';
import { Probe } from '../client/probe-service.fixture.js';

const client = fakeClient(Probe, {
  unary: () => ({}),
  serverStream: () => [{}],
  clientStream: async () => ({}),
  bidiStream: () => [{}],
});

const CALLS: readonly (readonly [string, (options: object) => unknown])[] = [
  ['unary', (options) => client.unary({}, options)],
  ['serverStream', (options) => client.serverStream({}, options).next()],
  ['clientStream', (options) => client.clientStream([], options)],
  ['bidiStream', (options) => client.bidiStream([], options).next()],
];

describe.each(CALLS)('the options of a call of %s', (_, call) => {
  it.each<[string, object, string]>([
    ['misspelt', { timout: 5 }, 'timout: is not known here; did you mean timeout?'],
    [
      'all wrong',
      { timout: 5, timeout: 'x', inherit: 0, signal: {} },
      'inherit: must be true or false, not 0',
    ],
    ['metadata', new Metadata(), 'internalRepr: is not known here'],
    ['null', null as never, 'must be an object, not null'],
    ['a number', 5 as never, 'must be an object, not 5'],
  ])('are refused where they are %s', async (__, options, message) => {
    const refused = (async () => call(options))();
    await expect(refused).rejects.toBeInstanceOf(OptionsError);
    await expect(refused).rejects.toThrow(`grpc: options of the call: `);
    await expect(refused).rejects.toThrow(message);
  });

  it('are taken under their own names, undefined ones too', async () => {
    const { signal } = new AbortController();
    const options = {
      signal,
      timeout: '1m',
      headers: {},
      onTrailers: undefined,
      timout: undefined,
    };
    await expect(call(options)).resolves.toBeDefined();
  });
});
