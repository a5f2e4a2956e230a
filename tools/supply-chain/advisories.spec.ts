import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Advisory, findingsIn, isTooMuch, mistakesIn, readAdvisories } from './advisories.js';
import type { LockedPackage } from './locked-package.js';
import { askRegistry, merged } from './registry.js';

const TODAY = '2026-11-24';

function locked(version: string, isDev = false): LockedPackage {
  return {
    path: 'node_modules/ws',
    name: 'ws',
    version,
    isDev,
    hasInstallScript: false,
    node: undefined,
    dependencies: [],
    license: 'MIT',
    integrity: undefined,
  };
}

function advisory(more: Partial<Advisory> = {}): Advisory {
  return {
    id: 'GHSA-1',
    package: 'ws',
    vulnerable: '>=8.0.0 <8.17.1',
    severity: 'moderate',
    title: 'ends',
    ...more,
  };
}

describe('the list of advisories that is checked in', () => {
  const list = readAdvisories(fileURLToPath(new URL('advisories.json', import.meta.url)));

  it('can be read, and says something', () => {
    expect(mistakesIn(list)).toEqual([]);
    expect(list.advisories).not.toEqual([]);
  });

  it('is in the order that refreshing gives it', () => {
    expect(merged(list.advisories, [])).toEqual(list.advisories);
  });
});

describe('a list of advisories', () => {
  it.each([
    [advisory({ vulnerable: 'old ones' }), 'GHSA-1: no range: old ones'],
    [{ ...advisory(), severity: 'bad' as never }, 'GHSA-1: no severity: bad'],
  ])('with %j has a mistake', (one, mistake) => {
    expect(mistakesIn({ asOf: TODAY, advisories: [one], accepted: [] })).toEqual([mistake]);
  });

  it.each([
    [{ id: 'GHSA-2', reason: 'why', until: TODAY }, 'GHSA-2 is accepted and not in the list'],
    [{ id: 'GHSA-1', reason: ' ', until: TODAY }, 'GHSA-1 is accepted without a reason'],
    [{ id: 'GHSA-1', reason: 'why', until: 'ever' }, 'GHSA-1 is accepted until no day: ever'],
  ])('that accepts %j has a mistake', (accepted, mistake) => {
    const list = { asOf: TODAY, advisories: [advisory()], accepted: [accepted] };
    expect(mistakesIn(list)).toEqual([mistake]);
  });
});

describe('a package with a known weakness', () => {
  const found = (
    one: LockedPackage,
    more: Partial<Advisory> = {},
    until = '',
  ): readonly boolean[] => {
    const accepted = until === '' ? [] : [{ id: 'GHSA-1', reason: 'unreachable', until }];
    const list = { asOf: TODAY, advisories: [advisory(more)], accepted };
    return findingsIn([one], list, TODAY).map(isTooMuch);
  };

  it.each([
    ['is too much', locked('8.17.0'), {}, '', [true]],
    ['is too much in a prerelease', locked('8.17.0-rc.1'), {}, '', [true]],
    ['is not found in a later version', locked('8.17.1'), {}, '', []],
    ['is not found in another package', locked('8.17.0'), { package: 'wss' }, '', []],
    ['is borne until the day it is accepted', locked('8.17.0'), {}, TODAY, [false]],
    ['is too much the day after', locked('8.17.0'), {}, '2026-11-23', [true]],
    ['is borne where only we have it', locked('8.17.0', true), {}, '', [false]],
    ['is too much even there if high', locked('8.17.0', true), { severity: 'high' }, '', [true]],
  ] as const)('%s', (_, one, more, until, expected) => {
    expect(found(one, more, until)).toEqual(expected);
  });
});

describe('a registry', () => {
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  /** Resolves with where it is and what it was asked. */
  async function registry(
    status: number,
    answer: object,
  ): Promise<{ url: string; asked: string[] }> {
    const asked: string[] = [];
    const server = createServer(async (req, res) => {
      let body = '';
      for await (const chunk of req) body += String(chunk);
      asked.push(`${req.method} ${req.url} ${body}`);
      res.writeHead(status).end(JSON.stringify(answer));
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    closing.push(() => server.close());
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/npm`, asked };
  }

  it('is asked for each version once, and its answer becomes advisories', async () => {
    const known = {
      url: 'https://github.com/advisories/GHSA-9',
      title: 'ends',
      severity: 'odd',
      vulnerable_versions: '<9',
    };
    const { url, asked } = await registry(200, { ws: [known] });
    expect(await askRegistry(url, [locked('8.1.0'), locked('8.1.0'), locked('7.0.0')])).toEqual([
      { id: 'GHSA-9', package: 'ws', vulnerable: '<9', severity: 'critical', title: 'ends' },
    ]);
    expect(asked).toEqual(['POST /npm/-/npm/v1/security/advisories/bulk {"ws":["8.1.0","7.0.0"]}']);
  });

  it('that refuses is reported', async () => {
    const { url } = await registry(405, {});
    await expect(askRegistry(url, [locked('8.1.0')])).rejects.toThrow('answered with 405');
  });
});

describe('what was known and what is known now', () => {
  it('are one list, in which the newer counts', () => {
    const before = [advisory({ id: 'GHSA-2' }), advisory()];
    const now = [advisory({ vulnerable: '<9' }), advisory({ package: 'a' })];
    expect(merged(before, now).map((one) => `${one.package} ${one.id} ${one.vulnerable}`)).toEqual([
      'a GHSA-1 >=8.0.0 <8.17.1',
      'ws GHSA-1 <9',
      'ws GHSA-2 >=8.0.0 <8.17.1',
    ]);
  });
});
