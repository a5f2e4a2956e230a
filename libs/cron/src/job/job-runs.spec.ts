import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from '@jest/globals';
import { WORK_SCOPE, type WorkScope } from '@apix/contracts';
import { HOUR, MINUTE, SECOND, everyMinute, held, hourly, rig } from './job.fixture.js';

describe.each([
  ['every', everyMinute, MINUTE],
  ['at', hourly, HOUR],
])('a run of a job made by %s', (_, make, step) => {
  it('runs in its work scopes, if it has any, and outside of whatever surrounds it', async () => {
    const around = new AsyncLocalStorage<string>();
    const inside = new AsyncLocalStorage<string>();
    const scope: WorkScope = {
      [WORK_SCOPE]: true,
      run: (kind, name, fn) => inside.run(`${kind} ${name}`, fn),
    };
    const seenWith = async (workScopes: readonly WorkScope[]): Promise<unknown[]> => {
      const seen: unknown[] = [];
      const see = (): unknown => seen.push(`${around.getStore()}: ${inside.getStore()}`);
      const work = async (): Promise<never> => {
        await Promise.resolve();
        see();
        throw new Error('no disk');
      };
      const { clock, job, stop } = await rig(make, { work, errorHandler: see, workScopes });
      await around.run('service', () => clock.advance(step));
      await around.run('request', () => job.trigger());
      await stop();
      return seen;
    };
    const scoped = `undefined: cron ${make(() => {}, {}).name}`;
    expect(await seenWith([scope])).toEqual([scoped, scoped, scoped, scoped]);
    const [service, request] = ['service: undefined', 'request: undefined'];
    expect(await seenWith([])).toEqual([service, service, request, request]);
  });

  it('ends its work scopes with the failure of a run that takes too long', async () => {
    const endings: unknown[] = [];
    const scope: WorkScope = {
      [WORK_SCOPE]: true,
      run<T>(_kind: string, _name: string, fn: () => T) {
        const result = fn();
        Promise.resolve(result).catch((error: unknown) => endings.push(error));
        return result;
      },
    };
    const { work, end } = held();
    const options = { work, workScopes: [scope], runTimeout: '5s' };
    const { clock, errors, stop } = await rig(make, options);
    await clock.advance(step + 5 * SECOND);
    expect(endings).toEqual(errors);
    expect(errors).toHaveLength(1);
    end();
    await stop();
  });
});
