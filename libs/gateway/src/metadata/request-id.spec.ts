import { acceptedRequestId } from '@apix/contracts/internal';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { useRig } from '../fixtures/rig.fixture.js';
import { ask } from '../fixtures/serve.fixture.js';

/** What can be sent as the value of a header. */
const headerValue = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((code) => code !== 0x7f)
    .map((code) => String.fromCharCode(code)),
  maxLength: 140,
});

describe.each(['network', 'http2', 'in-process'] as const)(
  'the request id over %s',
  (transport) => {
    const rig = useRig(transport);

    async function idsOf(port: number, given: string): Promise<readonly unknown[]> {
      const { json, headers } = await ask(port, '/v1/metadata', {
        headers: { 'x-request-id': given },
      });
      const { metadata } = json as { metadata: Readonly<Record<string, string>> };
      return [headers['x-request-id'], metadata['x-request-id']];
    }

    it("is the caller's for the caller and the server, where contracts accept it", async () => {
      const port = await rig.start();
      await fc.assert(
        fc.asyncProperty(headerValue, async (value) => {
          const [told, called] = await idsOf(port, value);
          // As parsers of HTTP take it.
          const accepted = acceptedRequestId(value.replace(/^[ \t]+|[ \t]+$/g, ''));
          expect([told, acceptedRequestId(called)]).toEqual([
            accepted ?? expect.stringMatching(/^[0-9a-f-]{36}$/),
            told,
          ]);
        }),
      );
    });

    it('is the one that a log wrote into the request before', async () => {
      const logged = '{"id":"a,b;c"}';
      const port = await rig.start({
        middleware: [
          (req, _res, next) => {
            req.headers['x-request-id'] = logged;
            next();
          },
        ],
      });
      expect(await idsOf(port, 'given')).toEqual([logged, logged]);
    });
  },
);
