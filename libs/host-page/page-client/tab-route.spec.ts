import { describe, expect, it } from '@jest/globals';
import { hashOf, readRoute } from './tab-route.js';

const TABS = ['overview', 'logs'];

describe('the fragment of the address', () => {
  it.each([
    ['', 'overview', ''],
    ['#', 'overview', ''],
    ['#/', 'overview', ''],
    ['#/logs', 'logs', ''],
    ['#/logs?level=warn&text=a%26b', 'logs', 'level=warn&text=a%26b'],
    ['#/nothing?level=warn', 'overview', ''],
    ['#logs', 'overview', ''],
    ['#/__proto__', 'overview', ''],
  ])('%s names the tab %s with the parameters "%s"', (hash, tab, params) => {
    const route = readRoute(hash, TABS);
    expect([route.tab, route.params.toString()]).toEqual([tab, params]);
  });

  it.each([
    [{}, '#/logs'],
    [{ level: '' }, '#/logs'],
    [{ level: 'warn', text: 'a&b' }, '#/logs?level=warn&text=a%26b'],
  ])('of %j is read as it was written', (params, hash) => {
    expect(hashOf('logs', params)).toBe(hash);
    const read = Object.fromEntries(readRoute(hash, TABS).params);
    expect(read).toEqual(Object.fromEntries(Object.entries(params).filter(([, it]) => it !== '')));
  });
});
