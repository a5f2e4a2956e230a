import { describe, expect, it } from '@jest/globals';
import { useRig } from '../fixtures/rig.fixture.js';
import { ask } from '../fixtures/serve.fixture.js';
import type { Middleware } from './gateway-options.js';

const rig = useRig('in-process');

describe('several functions of the option middleware', () => {
  const said: string[] = [];
  const saying =
    (word: string, then: Middleware = (_req, _res, next) => next()): Middleware =>
    (req, res, next) => {
      said.push(word);
      return then(req, res, next);
    };

  async function statusWith(...middleware: Middleware[]): Promise<number> {
    said.length = 0;
    return (await ask(await rig.start({ middleware }), '/v1/query')).status;
  }

  it('run one after another, each once, and then the call', async () => {
    const later: Middleware = (_req, _res, next) => void setImmediate(next);
    const names = ['first', 'second', 'third', 'fourth'];
    const all = names.map((name, i) => saying(name, i % 2 === 0 ? later : undefined));
    const before = rig.echo.calls.length;
    expect(await statusWith(...all)).toBe(200);
    expect(said).toEqual(names);
    expect(rig.echo.calls.length).toBe(before + 1);
  });

  it.each<[string, Middleware, number]>([
    ['answers', (_req, res) => void res.writeHead(204).end(), 204],
    ['passes on an error', (_req, _res, next) => next(new Error('no')), 500],
    [
      'throws',
      () => {
        throw new Error('no');
      },
      500,
    ],
  ])('end with the one that %s', async (_what, ends, status) => {
    const before = rig.echo.calls.length;
    expect(await statusWith(saying('first'), saying('second', ends), saying('third'))).toBe(status);
    expect(said).toEqual(['first', 'second']);
    expect(rig.echo.calls.length).toBe(before);
  });
});
