import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Mistakes } from '@apix/contracts';
import { describe, expect, it } from '@jest/globals';
import { transcodingRegistry } from '../fixtures/echo-server.fixture.js';
import { useRig } from '../fixtures/rig.fixture.js';
import { ask } from '../fixtures/serve.fixture.js';
import type { Binding } from '../rules/binding.js';
import { RouteTable } from '../template/route-table.js';
import { Gateway } from './gateway.js';
import { MountPoint } from './mount-point.js';

function read(mount: unknown): { prefix: string; mistakes: readonly string[] } {
  const mistakes = new Mistakes();
  const { prefix } = MountPoint.read(mount as string, mistakes);
  return { prefix, mistakes: mistakes.found };
}

describe('MountPoint.read', () => {
  it.each([
    ['/', ''],
    ['//', ''],
    ['/api', '/api'],
    ['/api/', '/api'],
    ['/api//', '/api'],
    ['/a/b/', '/a/b'],
  ])('takes the mount path %j as the prefix %j', (mount, prefix) => {
    expect(read(mount)).toEqual({ prefix, mistakes: [] });
  });

  it.each([['api'], ['api/'], [''], ['/api?x'], ['/api#x'], [5], [undefined]])(
    'notes that %j is not a path, and goes on with none',
    (mount) => {
      const { prefix, mistakes } = read(mount);
      expect(prefix).toBe('');
      expect(mistakes).toEqual([expect.stringMatching(/is not a path: it must start with "\/"$/)]);
    },
  );
});

describe('MountPoint.find', () => {
  const below = (mount: string, path: string) =>
    MountPoint.read(mount, new Mistakes()).find(new RouteTable<Binding>(), 'GET', path);

  it.each([
    ['/api', '/api/v1'],
    ['/api', '/api'],
    ['/api/', '/api'],
  ])('of %s owns the path %s, so that no other handler answers', (mount, path) => {
    expect(below(mount, path)).toEqual({ match: undefined, isOwn: true });
  });

  it.each([
    ['/api', '/apix'],
    ['/api', '/apix/api'],
    ['/api', '/'],
    ['/', '*'],
  ])('of %s leaves %s to others', (mount, path) => {
    expect(below(mount, path)).toBeUndefined();
  });

  it('of / leaves to others what no rule has', () => {
    expect(below('/', '/v1')).toEqual({ match: undefined, isOwn: false });
  });
});

describe('a gateway mounted at /api', () => {
  const rig = useRig();

  it.each([
    ['/api/', '/api/v1/query?str=a', 200],
    ['/api', '/api/v1/query?str=a', 200],
    ['/api', '/v1/query?str=a', 404],
    ['/api', '/apix/v1/query?str=a', 404],
    ['/api', '/apiv1/query?str=a', 404],
    ['/api', '/api', 404],
  ])('at %s answers %s with %i', async (mount, path, status) => {
    const port = await rig.start({ mount });
    expect((await ask(port, path)).status).toBe(status);
  });
});

describe('a gateway next to handlers of the app', () => {
  const registry = transcodingRegistry();
  const noCall = (): never => {
    throw new Error('no call is made');
  };

  it.each([
    ['/api', 'GET', '/api/nothing', 404],
    ['/api', 'GET', '/api/v1/whole', 405],
    ['/api', 'GET', '/apix', 299],
    ['/api', 'GET', '/elsewhere', 299],
    ['/', 'GET', '/nothing', 299],
    ['/', 'GET', '/v1/whole', 299],
  ])(
    'at %s hands on only what is not its own: %s %s gives %i',
    async (mount, method, path, status) => {
      const gateway = new Gateway(registry, noCall, { mount });
      const server = createServer((req, res) => {
        gateway.handle(req, res, () => void res.writeHead(299).end());
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      expect((await ask(port, path, { method })).status).toBe(status);
      server.closeAllConnections();
      server.close();
    },
  );
});
