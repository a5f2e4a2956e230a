import { describe, expect, it } from '@jest/globals';
import { type Connection, bannerOf } from './banner.js';
import { view } from './page.fixture.js';

const good = { isReady: true, checks: [{ name: 'db', outcome: 'ok' }] };
const bad = {
  isReady: false,
  checks: [
    { name: 'db', outcome: 'failed: refused' },
    { name: 'disk', outcome: 'ok' },
  ],
};
const stopping = {
  phase: 'stopping' as const,
  since: 0,
  environment: 'Test',
  reason: 'SIGTERM',
};

describe('the banner', () => {
  it.each<[string, Parameters<typeof view>[0], Connection, string]>([
    ['a host that is checked', {}, 'live', 'checking ()'],
    ['a ready host', { health: good }, 'live', 'good ready for traffic ()'],
    ['a failing check', { health: bad }, 'live', 'bad not ready for traffic (db: failed: refused)'],
    [
      'a host that stops',
      { health: good, host: stopping },
      'live',
      'bad not ready for traffic (the host is stopping: SIGTERM)',
    ],
    [
      'a pause',
      { health: good },
      'paused',
      'busy ready for traffic (paused, what is shown is 5s old)',
    ],
    ['a lost connection', {}, 'lost', 'bad no connection to the host (what is shown is 5s old)'],
    ['an end of access', {}, 'over', 'bad access ended (what is shown is 5s old; reload the page)'],
  ])('tells of %s', (_, over, connection, said) => {
    const { text, why, look } = bannerOf(view(over), connection, 1_000, 6_000);
    expect(`${look} ${text} (${why})`.trim()).toBe(said);
  });

  it('says that nothing has come yet', () => {
    expect(bannerOf(null, 'live', 0, 0).text).toBe('connecting');
  });
});
