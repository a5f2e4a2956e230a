import { describe, expect, it } from '@jest/globals';
import { fakeClock } from '@apix/contracts/testing';
import type { Observer } from '@apix/hostx';
import { EventLog } from './event-log.js';

const error = new Error('boom');

describe('the event log', () => {
  it.each<[string, (observer: Required<Observer>) => void, string]>([
    [
      'a phase',
      (o) => o.hostPhaseChanged({ from: 'idle', to: 'starting' }),
      'information host: idle → starting',
    ],
    ['a start', (o) => o.serviceStarting({ service: 'a', attempt: 0 }), 'information a: starting'],
    [
      'a restart',
      (o) => o.serviceStarting({ service: 'a', attempt: 2 }),
      'information a: starting, restart 2',
    ],
    [
      'readiness',
      (o) => o.serviceReady({ service: 'a', attempt: 0, durationMs: 1_234.4 }),
      'information a: ready after 1.234s',
    ],
    ['a stop that begins', (o) => o.serviceStopping({ service: 'a' }), 'information a: stopping'],
    [
      'a stop',
      (o) => o.serviceStopped({ service: 'a', durationMs: 5 }),
      'information a: stopped after 5ms',
    ],
    [
      'a bad stop',
      (o) => o.serviceStopped({ service: 'a', durationMs: 5, error }),
      'error a: stopped with an error after 5ms: boom',
    ],
    [
      'a backoff',
      (o) => o.serviceRestarting({ service: 'a', attempt: 1, delayMs: 2_000, error }),
      'warning a: restart 1 in 2s: boom',
    ],
    [
      'the end of restarts',
      (o) => o.serviceFailed({ service: 'a', error }),
      'error a: failed for good: boom',
    ],
    [
      'an abandoned service',
      (o) => o.serviceAbandoned({ service: 'a', afterMs: 30_000 }),
      'error a: did not stop within 30s; abandoned',
    ],
    [
      'a task',
      (o) => o.taskDone({ task: 't', durationMs: 7 }),
      'information t: startup task done after 7ms',
    ],
    [
      'a task that failed',
      (o) => o.taskDone({ task: 't', durationMs: 7, error }),
      'error t: startup task failed after 7ms: boom',
    ],
    [
      'a reload',
      (o) => o.reloadDone({ durationMs: 3, errors: [], done: ['levels', 'keys'] }),
      'information host: reloaded levels, keys after 3ms',
    ],
    [
      'a reload without hooks',
      (o) => o.reloadDone({ durationMs: 3, errors: [], done: [] }),
      'information host: nothing to reload after 3ms',
    ],
    [
      'a reload of which one hook failed',
      (o) => o.reloadDone({ durationMs: 3, errors: [error], done: ['levels'] }),
      'error host: reload failed after 3ms: boom',
    ],
    [
      'a reload that failed',
      (o) => o.reloadDone({ durationMs: 3, errors: [error, error], done: [] }),
      'error host: reload failed after 3ms: boom; boom',
    ],
  ])('tells of %s', (_, happen, told) => {
    const log = new EventLog(10, fakeClock());
    let calls = 0;
    log.onEvent = () => (calls += 1);
    happen(log.observer as Required<Observer>);
    const [event] = log.history.since(0);
    expect(`${event!.level} ${event!.subject}: ${event!.text}`).toBe(told);
    expect(calls).toBe(1);
  });

  it('marks for the plots what restarts, reloads, starts and drains', () => {
    const log = new EventLog(10, fakeClock());
    const o = log.observer as Required<Observer>;
    o.hostPhaseChanged({ from: 'idle', to: 'starting' });
    o.serviceStarting({ service: 'a', attempt: 0 });
    o.hostPhaseChanged({ from: 'starting', to: 'running' });
    o.serviceRestarting({ service: 'a', attempt: 1, delayMs: 2_000, error });
    o.reloadDone({ durationMs: 3, errors: [error], done: ['levels'] });
    o.hostPhaseChanged({ from: 'running', to: 'stopping' });
    o.hostPhaseChanged({ from: 'stopping', to: 'stopped' });
    const marks = log.history.since(0).map(({ mark }) => mark);
    expect(marks).toEqual(['start', undefined, 'start', 'restart', 'reload', 'drain', undefined]);
  });

  it('has a check that fails or passes once, whatever it says, and does not ask for checks again', () => {
    const log = new EventLog(10, fakeClock());
    let calls = 0;
    log.onEvent = () => (calls += 1);
    const report = (checks: Readonly<Record<string, string>>): void =>
      log.addChecks({ status: 'ok', checks });
    report({ db: 'ok', queue: 'down' });
    report({ db: 'ok', queue: 'still down' });
    report({ db: 'gone', queue: 'ok' });
    report({});
    const told = log.history.since(0).map(({ level, subject, text }) => [level, subject, text]);
    expect(told).toEqual([
      ['error', 'queue', 'the check fails: down'],
      ['error', 'db', 'the check fails: gone'],
      ['information', 'queue', 'the check passes again'],
      ['information', 'db', 'the check passes again'],
    ]);
    expect(calls).toBe(0);
  });

  it('has a process that ended by itself, at its time', () => {
    const log = new EventLog(10, fakeClock());
    log.addCrash('process 2', 'was ended by SIGKILL; restart 1', 7);
    expect(log.history.since(0)).toEqual([
      expect.objectContaining({ at: 7, level: 'error', subject: 'process 2' }),
    ]);
  });

  it('knows when it was', () => {
    const clock = fakeClock();
    const log = new EventLog(10, clock);
    log.observer.serviceStopping!({ service: 'a' });
    expect(log.history.since(0)[0]!.at).toBe(clock.now());
  });
});
