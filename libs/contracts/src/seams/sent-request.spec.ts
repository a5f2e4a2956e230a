import { expect, it } from '@jest/globals';
import { type RequestWatch, offerRequestWatch, sendWatched } from './sent-request.js';

const request = { method: 'GET', url: new URL('https://id.example/jwks') };

const noting =
  (log: string[], name: string): RequestWatch =>
  async (sent, send) => {
    log.push(`${name} ${sent.method}`);
    return send();
  };

it('a request is sent by itself where nobody watches', async () => {
  expect(await sendWatched(request, async () => 7)).toBe(7);
});

it('a request is watched by who has offered last, until that is undone', async () => {
  const log: string[] = [];
  const first = offerRequestWatch(noting(log, 'first'));
  const second = offerRequestWatch(noting(log, 'second'));
  expect(await sendWatched(request, async () => 7)).toBe(7);
  second();
  await sendWatched(request, async () => 7);
  first();
  await sendWatched(request, async () => 7);
  expect(log).toEqual(['second GET', 'first GET']);
});
