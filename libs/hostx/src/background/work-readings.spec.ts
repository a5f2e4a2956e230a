import { expect, it } from '@jest/globals';
import { FollowedWork, readingsOfWork } from './followed-work.js';

it('the readings of background work have a kind, and the one of time its unit', () => {
  const work = new FollowedWork({ name: 'mail', kind: 'cron', schedule: 'now' }, () => []);
  const readings = (): unknown[] =>
    [...readingsOfWork(work)].map(({ name, kind, value, unit, attributes: about }) => ({
      name,
      kind,
      value,
      ...(unit !== undefined && { unit }),
      attributes: about,
    }));
  const attributes = { work: 'mail' };
  const before = [
    { name: 'hostx.work.running', kind: 'gauge', value: 0, attributes },
    {
      name: 'hostx.work.runs',
      kind: 'counter',
      value: 0,
      attributes: { ...attributes, outcome: 'ok' },
    },
    {
      name: 'hostx.work.runs',
      kind: 'counter',
      value: 0,
      attributes: { ...attributes, outcome: 'failed' },
    },
  ];
  expect(readings()).toEqual(before);
  work.run('', () => 'sent');
  expect(readings()).toEqual([
    before[0],
    { ...(before[1] as object), value: 1 },
    before[2],
    {
      name: 'hostx.work.last_duration',
      kind: 'gauge',
      value: expect.any(Number),
      unit: 's',
      attributes,
    },
  ]);
});
