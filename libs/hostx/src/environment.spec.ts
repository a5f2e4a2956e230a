import { describe, expect, it } from '@jest/globals';
import { Environment, environmentFromEnv } from './environment.js';

describe('environmentFromEnv', () => {
  it.each<[string | undefined, Record<string, string>, string]>([
    [undefined, { APP_ENVIRONMENT: 'Staging' }, 'Staging'],
    ['', { APP_ENVIRONMENT: 'Staging' }, 'Staging'],
    ['MY_ENV', { APP_ENVIRONMENT: 'Staging', MY_ENV: 'qa' }, 'qa'],
    [undefined, {}, 'Production'],
    [undefined, { APP_ENVIRONMENT: ' ' }, 'Production'],
  ])('of %p in %j is %s', (variable, env, name) => {
    expect(String(environmentFromEnv(variable, env))).toBe(name);
  });
});

describe('an environment', () => {
  it.each([
    ['development', true, false],
    ['DEVELOPMENT', true, false],
    ['Production', false, true],
    ['production', false, true],
    ['Blue', false, false],
  ])('%s', (name, development, production) => {
    const environment = new Environment(name);
    expect(environment.isDevelopment()).toBe(development);
    expect(environment.isProduction()).toBe(production);
    expect(environment.is(name.toLowerCase())).toBe(true);
  });
});
