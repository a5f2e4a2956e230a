import { describe, expect, it } from '@jest/globals';
import { useRig } from '../fixtures/rig.fixture.js';
import { ask } from '../fixtures/serve.fixture.js';

const JSON_TYPE = { 'content-type': 'application/json' };

describe.each(['network', 'http2', 'in-process'] as const)(
  'a PATCH on a rule with a mask (%s)',
  (via) => {
    const rig = useRig(via);
    const patch = async (path: string, body?: string) => {
      const port = await rig.start();
      const sent = body === undefined ? {} : { body, headers: JSON_TYPE };
      return ask(port, path, { method: 'PATCH', ...sent });
    };

    it.each<[string, string, string | undefined, object]>([
      ['without a body has no mask', '/v1/updates/a', undefined, { item: { str: 'a' } }],
      [
        'without a body keeps the mask of the query',
        '/v1/updates/a?update_mask=strs',
        undefined,
        { item: { str: 'a' }, updateMask: 'strs' },
      ],
      [
        'with an empty object has an empty mask',
        '/v1/updates/a',
        '{}',
        { item: { str: 'a' }, updateMask: '' },
      ],
      [
        'with null members has them in the mask',
        '/v1/updates/a',
        '{"i32":null}',
        { item: { str: 'a' }, updateMask: 'i32' },
      ],
      [
        'with an empty object inside has it in the mask',
        '/v1/updates/a',
        '{"nested":{}}',
        { item: { str: 'a', nested: {} }, updateMask: 'nested' },
      ],
    ])('%s', async (_, path, body, json) => {
      const answer = await patch(path, body);
      expect([answer.status, answer.json]).toEqual([200, json]);
    });
  },
);
