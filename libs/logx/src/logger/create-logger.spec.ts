import { describe, expect, it } from '@jest/globals';
import { fakeClock } from '@apix/contracts/testing';
import { collectingSink } from '../testing/collecting-sink.js';
import { createConsoleLogger } from './create-console-logger.js';
import { createLogger } from './create-logger.js';
import type { LoggerOptions } from './logger-options.js';

const AT = Date.UTC(2026, 10, 21, 3, 4, 5, 678);

function collected(options: LoggerOptions = {}) {
  const logged = collectingSink();
  const clock = fakeClock(AT);
  return { logged, log: createLogger({ clock, sinks: [logged], ...options }) };
}

describe('createLogger', () => {
  it('writes an event as one line of JSON with the fields of the specification', () => {
    const { log, logged } = collected();
    log.forContext('OrderId', 'o-17').information('{Count} items for {Customer}', 3, 'Ada');
    expect(logged.lines).toEqual([
      '{"level":"info","time":"2026-11-21T03:04:05Z","OrderId":"o-17",' +
        '"@mt":"{Count} items for {Customer}","Count":3,"Customer":"Ada",' +
        '"message":"3 items for Ada"}',
    ]);
  });

  it('is a console at the debug level with stacks, in the preset for development', () => {
    const logged = collectingSink();
    const log = createConsoleLogger({ sinks: [logged] });
    log.debug('x');
    log.error(new Error('y'), 'z');
    expect(logged.first()!.level).toBe('debug');
    expect(logged.last()).toHaveProperty('stack');
  });
});
