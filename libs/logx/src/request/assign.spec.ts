import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import {
  addContextField,
  ctx,
  fromContext,
  runWithLogger,
  runWork,
} from '../context/logger-context.js';
import { createLogger } from '../logger/create-logger.js';
import { collectingSink } from '../testing/collecting-sink.js';
import { addToRequest, assign } from './assign.js';
import { workScope } from './logger-scope.js';
import { RequestRecord } from './request-record.js';

function logging() {
  const logged = collectingSink();
  const root = createLogger({ sinks: [logged], timestamp: false, renderedMessage: false });
  const fields = (): object[] =>
    [...logged].map(({ level: _level, '@mt': _template, ...rest }) => rest);
  return { logged, root, fields };
}

const say = (): void => fromContext().information('said');

describe('assign', () => {
  it('adds to all later events of the request, the last value winning, and to its own', () => {
    const { root, fields } = logging();
    const record = new RequestRecord(root);
    runWork(record, () => {
      say();
      assign({ Tenant: 'a', User: 'u' });
      say();
      assign({ Tenant: 'b' });
      addToRequest({ own: true });
      say();
    });
    record.events.write({ level: 30, template: 'done', fields: record.extra });
    expect(fields()).toEqual([
      {},
      { Tenant: 'a', User: 'u' },
      { Tenant: 'b', User: 'u' },
      { Tenant: 'b', User: 'u', own: true },
    ]);
  });

  it('reaches those that run with a logger of their own, which keep what they chose before', () => {
    const { root, fields } = logging();
    runWork(new RequestRecord(root), () => {
      assign({ Step: 'first', Tenant: 'a' });
      runWithLogger(fromContext().forContext('Step', 'inner'), () => {
        say();
        assign({ User: 'u' });
        say();
        assign({ Step: 'second' });
        say();
      });
      say();
    });
    expect(fields()).toEqual([
      { Step: 'inner', Tenant: 'a' },
      { Step: 'inner', Tenant: 'a', User: 'u' },
      { Step: 'second', Tenant: 'a', User: 'u' },
      { Step: 'second', Tenant: 'a', User: 'u' },
    ]);
  });

  it('stays with its request where several interleave', async () => {
    const { root, fields } = logging();
    await Promise.all(
      [1, 2, 3].map((Id) =>
        runWork(new RequestRecord(root), async () => {
          await nextTurn();
          assign({ Id });
          await nextTurn();
          say();
        }),
      ),
    );
    expect(fields()).toEqual([{ Id: 1 }, { Id: 2 }, { Id: 3 }]);
  });

  it('works in runs of jobs and in work that is run with a logger, and nowhere else', () => {
    const { root, fields } = logging();
    workScope(root).run('service', 'outbox', () => {
      assign({ Batch: 1 });
      say();
    });
    runWithLogger(root, () => {
      assign({ Batch: 2 });
      say();
    });
    expect(() => assign({ Batch: 3 })).not.toThrow();
    expect(fields()).toEqual([{ work: 'service outbox', Batch: 1 }, { Batch: 2 }]);
  });

  it('takes a member that cannot be read for what it is', () => {
    const { root, fields } = logging();
    const hostile = {
      get broken(): never {
        throw new Error('no');
      },
      fine: 1,
    };
    runWithLogger(root, () => {
      assign(hostile);
      say();
    });
    expect(fields()).toEqual([{ broken: '[Unreadable: no]', fine: 1 }]);
  });

  it('can be called any number of times without piling up', () => {
    const { root, logged } = logging();
    runWithLogger(root, () => {
      for (let i = 0; i < 20_000; i++) assign({ Count: i });
      say();
    });
    expect(logged.only()).toMatchObject({ Count: 19_999 });
  });

  it('and what extractors find are both in the event of the request', () => {
    const { root, fields } = logging();
    const remove = addContextField(() => [{ name: 'Span', value: 's' }]);
    const record = new RequestRecord(root);
    runWork(record, () => {
      record.takeContextFields();
      assign({ Tenant: 'a' });
      ctx().information('said');
    });
    remove();
    record.events.write({ level: 30, template: 'done' });
    expect(fields()).toEqual([
      { Tenant: 'a', Span: 's' },
      { Tenant: 'a', Span: 's' },
    ]);
  });
});
