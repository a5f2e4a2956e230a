import { describe, expect, it } from '@jest/globals';
import { wantsColor } from './color.js';
import { consoleSink, stderrSink, stdoutSink } from './standard-sinks.js';

/** A descriptor that is no terminal in any test run. */
const NO_TERMINAL = 0x7fff;

describe('standard sinks', () => {
  it.each([
    [consoleSink(), { kind: 'console', format: 'console' }],
    [consoleSink({ format: 'json' }), { kind: 'console', format: 'json' }],
    [consoleSink({ color: true, target: 'stderr' }), { kind: 'console', color: true }],
    [stdoutSink(), { kind: 'stdout', format: 'json' }],
    [stderrSink({ format: 'ecs' }), { kind: 'stderr', format: 'ecs' }],
    [stdoutSink({ format: 'console', color: false }), { format: 'console', color: false }],
  ])('are values: %j', (spec, expected) => {
    expect(spec).toMatchObject(expected);
  });

  it.each<[NodeJS.ProcessEnv, boolean]>([
    [{}, false],
    [{ FORCE_COLOR: '' }, true],
    [{ FORCE_COLOR: '1' }, true],
    [{ FORCE_COLOR: '3', NO_COLOR: '1' }, true],
    [{ FORCE_COLOR: '0' }, false],
    [{ FORCE_COLOR: 'false' }, false],
    [{ NO_COLOR: '1' }, false],
  ])('colour what is no terminal, with %j: %p', (env, expected) => {
    expect(wantsColor(NO_TERMINAL, env)).toBe(expected);
  });
});
