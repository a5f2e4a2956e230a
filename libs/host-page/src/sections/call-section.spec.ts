import { describe, expect, it } from '@jest/globals';
import type { MethodSamples, SampleCall, SampledMethod } from '@apix/contracts/internal';
import { callSection } from './call-section.js';

const GET: SampledMethod = { method: '/s/Get', kind: 'unary' };
const SAMPLES: SampleCall[] = [
  { protocol: 'rest', httpMethod: 'GET', target: '/v1/things/a', body: undefined },
  { protocol: 'connect', httpMethod: 'POST', target: '/s/Get', body: { id: 'a' } },
];

function source(methods: readonly SampledMethod[]): MethodSamples {
  return { methods: () => methods, samplesOf: (name) => (name === '/s/Get' ? SAMPLES : []) };
}

function unexpected(source: string): never {
  throw new Error(`${source} has failed`);
}

describe('the tab of calls', () => {
  it('is there for an app that serves methods from its own server', () => {
    expect(callSection([], unexpected).isPresent!()).toBe(false);
    expect(callSection([source([])], unexpected).isPresent!()).toBe(false);
    const section = callSection([source([]), source([GET])], unexpected);
    expect(section.isPresent!()).toBe(true);
    expect(section.view(true)).toEqual({ count: 1 });
  });

  it('has the methods, and the ways to call one with a body that can be read', async () => {
    const section = callSection([source([GET])], unexpected);
    const item = async (name: string, query = '') =>
      JSON.parse((await section.item!(name, new URLSearchParams(query))) ?? 'null') as unknown;
    expect(await item('methods')).toEqual([GET]);
    expect(await item('samples', 'method=/s/Get')).toEqual([
      { protocol: 'rest', httpMethod: 'GET', target: '/v1/things/a', body: null },
      { protocol: 'connect', httpMethod: 'POST', target: '/s/Get', body: '{\n  "id": "a"\n}' },
    ]);
    expect(await item('samples', 'method=/s/Nope')).toBeNull();
    expect(await item('others')).toBeNull();
  });

  it('leaves out a source that throws, and notes it', () => {
    const noted: string[] = [];
    const broken: MethodSamples = {
      methods() {
        throw new Error('no descriptors');
      },
      samplesOf: () => [],
    };
    const section = callSection([broken, source([GET])], (_, what) => noted.push(what));
    expect(section.isPresent!()).toBe(true);
    expect(section.view(true)).toEqual({ count: 1 });
    expect(noted).toEqual(['methods']);
  });
});
