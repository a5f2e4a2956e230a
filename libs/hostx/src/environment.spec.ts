import { describe, expect, it } from '@jest/globals';
import {
  Environment,
  defaultEnvironment,
  environmentFromEnv,
  namedEnvironment,
} from './environment.js';

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

describe('the environment of a host', () => {
  it.each<[Record<string, string>, string | null]>([
    [{ APP_ENVIRONMENT: 'Staging', NODE_ENV: 'production' }, 'Staging'],
    [{ APP_ENVIRONMENT: 'Production', NODE_ENV: 'development' }, 'Production'],
    [{ NODE_ENV: 'development' }, 'Development'],
    [{ NODE_ENV: 'production' }, 'Production'],
    [{ APP_ENVIRONMENT: ' ', NODE_ENV: ' test ' }, 'Test'],
    [{ APP_ENVIRONMENT: '', NODE_ENV: '' }, null],
    [{}, null],
  ])('is named by %j as %s, and is Production without a name', (env, name) => {
    expect(namedEnvironment(env)?.name ?? null).toBe(name);
    expect(defaultEnvironment(env).name).toBe(name ?? 'Production');
  });

  it.each([
    ['Development', true],
    ['TEST', true],
    ['Production', false],
    ['Staging', false],
    ['Dev', false],
  ])('%s is local: %s', (name, isLocal) => {
    expect(new Environment(name).isLocal()).toBe(isLocal);
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
