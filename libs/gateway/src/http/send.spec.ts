import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { ask, serve } from '../fixtures/serve.fixture.js';
import { send } from './send.js';

const text = (words: string) => ({ contentType: 'text/plain', bytes: Buffer.from(words) });

describe('send', () => {
  it.each<[string, (res: ServerResponse) => void, number, string]>([
    [
      'once, the first time',
      (res) => {
        send(res, 200, text('first'));
        send(res, 404, text('second one'));
      },
      200,
      'first',
    ],
    [
      'not after somebody who was quicker',
      (res) => {
        send(res, 200, text('ours'));
        res.writeHead(202, { 'content-length': 6 }).end('theirs');
      },
      202,
      'theirs',
    ],
  ])('answers %s', async (_what, answer, status, words) => {
    const errors: unknown[] = [];
    const served = await serve((_req, res) => {
      res.on('error', (error) => errors.push(error));
      answer(res);
    });
    const seen = await ask(served.port, '/');
    await served.close();
    expect([seen.status, seen.text, errors]).toEqual([status, words, []]);
  });
});
