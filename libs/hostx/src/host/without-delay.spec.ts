import { describe, expect, it } from '@jest/globals';
import { Environment, defaultEnvironment } from '../environment.js';
import { signalsWithoutDelay, withoutDelayIn } from './without-delay.js';

describe('a signal', () => {
  const supervisor: string[] = [];
  const watcher = ['nest', 'start', '--watch'];
  it.each<[NodeJS.Signals, string, boolean, string[], string | undefined]>([
    ['SIGTERM', 'a supervisor', false, supervisor, undefined],
    ['SIGINT', 'a supervisor', false, supervisor, undefined],
    ['SIGTERM', 'a supervisor with a terminal', true, supervisor, undefined],
    ['SIGINT', 'a terminal', true, supervisor, 'SIGINT from a terminal'],
    ['SIGTERM', 'a watcher', false, watcher, 'stopped by nest start --watch'],
    ['SIGINT', 'a watcher', false, watcher, 'stopped by nest start --watch'],
    ['SIGINT', 'a watcher in a terminal', true, watcher, 'SIGINT from a terminal'],
  ])('%s of %s', (signal, _who, isTerminal, command, why) => {
    const by = signalsWithoutDelay({
      isTerminal: () => isTerminal,
      starterCommand: () => command,
    });
    expect(by(signal)).toBe(why);
  });
});

describe('an environment', () => {
  it.each<[string, string | null, Record<string, string>, string | undefined]>([
    ['no word at all', null, {}, undefined],
    ['NODE_ENV=production', null, { NODE_ENV: 'production' }, undefined],
    ['NODE_ENV=test', null, { NODE_ENV: 'test' }, 'the environment is Test'],
    ['NODE_ENV=development', null, { NODE_ENV: 'development' }, 'the environment is Development'],
    ['APP_ENVIRONMENT=Test', null, { APP_ENVIRONMENT: 'Test' }, 'the environment is Test'],
    [
      'APP_ENVIRONMENT=Staging with NODE_ENV=development',
      null,
      { APP_ENVIRONMENT: 'Staging', NODE_ENV: 'development' },
      undefined,
    ],
    [
      'an empty APP_ENVIRONMENT',
      null,
      { APP_ENVIRONMENT: ' ', NODE_ENV: 'test' },
      'the environment is Test',
    ],
    ['Production by option with NODE_ENV=test', 'Production', { NODE_ENV: 'test' }, undefined],
    ['Development by option', 'Development', {}, 'the environment is Development'],
  ])('of %s', (_, given, env, why) => {
    const environment = given === null ? defaultEnvironment(env) : new Environment(given);
    expect(withoutDelayIn(environment)).toBe(why);
  });
});
