import { describe, expect, it } from '@jest/globals';
import { useRig } from '../fixtures/rig.fixture.js';
import { ask } from '../fixtures/serve.fixture.js';

describe.each(['network', 'http2', 'in-process'] as const)('over the transport %s', (transport) => {
  const rig = useRig(transport);

  /** Fails with the request itself as the detail of the error. */
  const PATH = `/v1/fail?code=9&message=full&delay_ms=1&field=${encodeURIComponent('*')}`;
  const DETAIL = {
    '@type': 'type.googleapis.com/transcoding.v1.FailRequest',
    code: 9,
    message: 'full',
    delayMs: 1,
    field: '*',
  };

  describe('a detail of a type that the descriptors know', () => {
    it('is ProtoJSON in a problem document', async () => {
      const { json } = await ask(await rig.start(), PATH);
      expect(json).toMatchObject({ code: 'FAILED_PRECONDITION', details: [DETAIL] });
    });

    it('is ProtoJSON in a google.rpc.Status', async () => {
      const { json } = await ask(await rig.start({ errors: 'status' }), PATH);
      expect(json).toEqual({ code: 9, message: 'full', details: [DETAIL] });
    });

    it('is written in the same form with any options of messages', async () => {
      const json = { protoNames: true, emitDefaults: 'all' } as const;
      const answer = await ask(await rig.start({ json }), PATH);
      expect(answer.json).toHaveProperty('details', [DETAIL]);
    });
  });
});
