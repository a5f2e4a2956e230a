import { type ReachedHandler, reachedHandler } from '@apix/contracts/internal';
import { expect, it } from '@jest/globals';
import { useRig } from '../fixtures/rig.fixture.js';
import { ask } from '../fixtures/serve.fixture.js';
import type { Middleware } from './gateway-options.js';

const rig = useRig();

async function reached(path: string, mount?: string): Promise<ReachedHandler | undefined> {
  let noted: ReachedHandler | undefined;
  const middleware: Middleware = (req, _res, next) => {
    noted = reachedHandler(req);
    next();
  };
  await ask(await rig.start({ mount: mount ?? '/', middleware: [middleware] }), path);
  return noted;
}

it('a request is noted with the template of its rule and the method, before middleware', async () => {
  const handler = '/transcoding.v1.EchoService/Path';
  expect(await reached('/v1/path/one/a')).toEqual({ route: '/v1/path/one/{str}', handler });
  expect(await reached('/api/v1/path/one/b', '/api')).toEqual({
    route: '/api/v1/path/one/{str}',
    handler,
  });
  expect(await reached('/api/v1/nothing', '/api')).toBeUndefined();
});
