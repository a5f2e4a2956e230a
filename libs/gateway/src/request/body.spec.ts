import { describe, expect, it } from '@jest/globals';
import { useRig } from '../fixtures/rig.fixture.js';
import { ask } from '../fixtures/serve.fixture.js';

describe('a body of null', () => {
  const rig = useRig('in-process');
  const send = async (field: string) => {
    const selector = 'transcoding.v1.EchoService.Query';
    const rules = [{ selector, post: '/v1/alone', body: field }];
    return ask(await rig.start({ rules }), '/v1/alone', {
      method: 'POST',
      body: 'null',
      headers: { 'content-type': 'application/json' },
    });
  };

  it.each(['str_value', 'choice_value', 'choice_str', 'color', 'strs'])(
    'leaves %s unset, as its JSON may be null',
    async (field) => {
      const answer = await send(field);
      expect([answer.status, answer.json]).toEqual([200, {}]);
    },
  );

  it('is a google.protobuf.Value', async () => {
    expect(await send('value')).toMatchObject({ status: 200, json: { value: null } });
  });

  it.each(['nested', 'choice_nested', 'timestamp'])('is refused for %s', async (field) => {
    expect(await send(field)).toMatchObject({ status: 400 });
  });
});
