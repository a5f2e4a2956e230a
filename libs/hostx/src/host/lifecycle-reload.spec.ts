import { describe, expect, it } from '@jest/globals';
import { fakeClock } from '@apix/contracts/testing';
import { Recorder } from '../testing/recorder.js';
import { builderOf, ending } from './host.fixture.js';

describe('rule 11: reload() runs the reload hooks, one reload at a time', () => {
  it('concurrent calls are serialised', async () => {
    const clock = fakeClock();
    const log: string[] = [];
    let call = 0;
    const host = builderOf(clock)
      .onReload(async () => {
        const mine = ++call;
        log.push(`begin ${mine}`);
        await new Promise<void>((resolve) => clock.after(100, resolve));
        log.push(`end ${mine}`);
      })
      .build();
    const run = ending(host.runContext());
    await host.started;
    const both = Promise.all([host.reload(), host.reload()]);
    await clock.advance(200);
    await both;
    expect(log).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
    host.shutdown();
    expect(await run).toBe('nil');
  });

  it('a hook that fails is named, does not stop the others, the host or the next reload', async () => {
    const log: string[] = [];
    const recorder = new Recorder();
    const host = builderOf()
      .onReload(() => Promise.reject(new Error('bad file')), 'config')
      .onReload(() => void log.push('levels'))
      .withObserver(recorder.observer)
      .build();
    const run = ending(host.runContext());
    await host.started;
    await expect(host.reload()).rejects.toThrow('hostx: reload hook config: bad file');
    await expect(host.reload()).rejects.toThrow('hostx: reload hook config: bad file');
    expect(log).toEqual(['levels', 'levels']);
    expect(recorder.has('reloadDone')).toBe(true);
    expect(host.state.phase).toBe('running');
    host.shutdown();
    expect(await run).toBe('nil');
  });

  it('waits for the start, and does nothing when the host does not run', async () => {
    const clock = fakeClock();
    const log: string[] = [];
    const host = builderOf(clock)
      .addStartupTask('slow', () => new Promise<void>((resolve) => clock.after(1_000, resolve)))
      .onReload(() => void log.push('reload'))
      .build();
    await host.reload();
    const run = ending(host.runContext());
    const reloaded = host.reload();
    await clock.advance(999);
    expect(log).toEqual([]);
    await clock.advance(1);
    await reloaded;
    expect(log).toEqual(['reload']);
    host.shutdown();
    expect(await run).toBe('nil');
    await host.reload();
    expect(log).toEqual(['reload']);
  });
});
