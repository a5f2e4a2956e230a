import { describe, expect, it } from '@jest/globals';
import { createLogger } from '../logger/create-logger.js';
import type { LoggerOptions } from '../logger/logger-options.js';
import { collectingSink } from '../testing/collecting-sink.js';

function logged(redact: LoggerOptions['redact'], template: string, ...args: unknown[]) {
  const sink = collectingSink();
  createLogger({ sinks: [sink], redact, timestamp: false }).info(template, ...args);
  const { level: _level, '@mt': _template, ...event } = sink.only();
  return event;
}

const user = { name: 'Ada', password: 'hunter2', keys: [{ id: 1, secret: 's' }, { secret: 't' }] };

describe('redact', () => {
  it.each<[string, unknown]>([
    ['User.password', { ...user, password: '[Redacted]' }],
    ['*.password', { ...user, password: '[Redacted]' }],
    ['User["password"]', { ...user, password: '[Redacted]' }],
    ["User['password']", { ...user, password: '[Redacted]' }],
    [
      'User.keys[*].secret',
      { ...user, keys: [{ id: 1, secret: '[Redacted]' }, { secret: '[Redacted]' }] },
    ],
    [
      'User.keys.*.secret',
      { ...user, keys: [{ id: 1, secret: '[Redacted]' }, { secret: '[Redacted]' }] },
    ],
    ['User.keys[1].secret', { ...user, keys: [{ id: 1, secret: 's' }, { secret: '[Redacted]' }] }],
    ['User.keys[0]', { ...user, keys: ['[Redacted]', { secret: 't' }] }],
    ['User', '[Redacted]'],
    ['*', '[Redacted]'],
    ['User.*', { name: '[Redacted]', password: '[Redacted]', keys: '[Redacted]' }],
    ['User.nothing', user],
    ['password', user],
    ['User.name.first', user],
  ])('hides what %s means', (path, shown) => {
    expect(logged([path], '{User}', user)['User']).toEqual(shown);
  });

  it('hides it in the message, too', () => {
    expect(logged(['Password'], 'as {Password}', 'hunter2')).toEqual({
      Password: '[Redacted]',
      message: 'as [Redacted]',
    });
  });

  it('leaves out the member with remove', () => {
    const redact = { paths: ['User.password', 'User.keys[0]', 'Token'], remove: true };
    expect(logged(redact, '{User} {Token}', user, 't')).toEqual({
      User: { name: 'Ada', keys: [null, { secret: 't' }] },
      message: '{"name":"Ada","keys":[null,{"secret":"t"}]} {Token}',
    });
  });

  it('asks a censor that is a function for what is shown', () => {
    const censor = (value: unknown, path: string[]): string =>
      `${path.join('/')}:${String(value).length}`;
    expect(logged({ paths: ['*.password'], censor }, '{User}', user)['User']).toMatchObject({
      password: 'User/password:7',
    });
  });

  it('hides what a censor that throws was asked about', () => {
    const censor = (): never => {
      throw new Error('no');
    };
    expect(logged({ paths: ['A'], censor }, '{A}', 1)['A']).toBe('[Redacted]');
  });

  it('hides fields of loggers, surplus arguments and further fields', () => {
    const sink = collectingSink();
    const log = createLogger({ sinks: [sink], redact: ['Token', 'extra_0', 'error'] });
    log
      .forContext('Token', 'a')
      .write({ level: 30, text: 'x', args: ['b'], fields: { error: 'c' } });
    expect(sink.only()).toMatchObject({ Token: '[Redacted]', extra_0: '[Redacted]' });
    expect(sink.only()['error_']).toBe('[Redacted]');
  });

  it('hides a field with a dot in its name', () => {
    const at = (path: string, field: string, value: unknown): unknown =>
      logged([path], `{${field}}`, value)[field];
    expect(at('user.password', 'user.password', 'hunter2')).toBe('[Redacted]');
    expect(at('a.b.c.d', 'a.b', { c: { d: 1 } })).toEqual({ c: { d: '[Redacted]' } });
    expect(at('a.b[*].d', 'a.b', [{ d: 1 }])).toEqual([{ d: '[Redacted]' }]);
  });

  it('leaves the argument itself as it is', () => {
    logged(['User.password'], '{User}', user);
    expect(user.password).toBe('hunter2');
  });

  it.each(['', 'a..b', 'a[', 'a[b]', '.a', 'a]', 'a["b"'])('refuses the path %p', (path) => {
    expect(() => createLogger({ redact: [path], sinks: [] })).toThrow(/^logx: .*redact path/);
  });
});
