import { FORWARDED_KEY } from '@apix/contracts/internal';
import { expect, it } from '@jest/globals';
import { useRig } from '../fixtures/rig.fixture.js';
import { ask } from '../fixtures/serve.fixture.js';

const rig = useRig('network');

it('a server receives that the gateway calls in the name of a caller', async () => {
  const { json } = await ask(await rig.start(), '/v1/metadata');
  const { metadata } = json as { metadata: Record<string, string> };
  expect(metadata[FORWARDED_KEY]).toBe('1');
});
