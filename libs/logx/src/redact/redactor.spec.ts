import { describe, expect, it } from '@jest/globals';
import { createLogger } from '../logger/create-logger.js';
import type { LoggerOptions } from '../logger/logger-options.js';
import { collectingSink } from '../testing/collecting-sink.js';
import { SAFE_REDACTION } from './safe-redaction.js';

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
    ['**.password', { ...user, password: '[Redacted]' }],
    ['**.secret', { ...user, keys: [{ id: 1, secret: '[Redacted]' }, { secret: '[Redacted]' }] }],
    [
      'User.**.secret',
      { ...user, keys: [{ id: 1, secret: '[Redacted]' }, { secret: '[Redacted]' }] },
    ],
    ['User.**[1].secret', { ...user, keys: [{ id: 1, secret: 's' }, { secret: '[Redacted]' }] }],
    ['**.**.keys', { ...user, keys: '[Redacted]' }],
    ['**.User', '[Redacted]'],
    ['Nobody.**.secret', user],
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

  it.each(['', '**', 'a.**', 'a..b', 'a[', 'a[b]', '.a', 'a]', 'a["b"'])(
    'refuses the path %p',
    (path) => {
      expect(() => createLogger({ redact: [path], sinks: [] })).toThrow(/^logx: .*redact path/);
    },
  );

  it('takes ** for any depth, also the next and the deepest', () => {
    let nested: object = { token: 't' };
    for (let i = 0; i < 5; i++) nested = { next: nested, token: 't' };
    const shown = JSON.stringify(logged(['**.token'], '{Deep}', nested)['Deep']);
    expect(shown.match(/"token":"\[Redacted\]"/g)).toHaveLength(6);
  });

  it.each<[string, string]>([
    ['authorization', 'Authorization'],
    ['Authorization', 'authorization'],
    ['X-API-Key', 'x-api-key'],
    ['apiKey', 'X_API_KEY'.slice(2)],
    ['set-cookie', 'setCookie'],
  ])('hides the name %s where it is written %s, at any depth', (name, written) => {
    const redact = { names: [name] };
    const request = { headers: { [written]: 'secret', accept: '*/*' }, [written]: 'secret' };
    expect(logged(redact, '{Request}', [request])['Request']).toEqual([
      { headers: { [written]: '[Redacted]', accept: '*/*' }, [written]: '[Redacted]' },
    ]);
    expect(logged(redact, 'x', [{ [written]: 'secret' }])['extra_0']).toEqual([
      { [written]: '[Redacted]' },
    ]);
    expect(logged(redact, 'x', { [written]: 'secret' })).toMatchObject({
      [written]: '[Redacted]',
    });
  });

  it('hides a name as a field, as the last part of one with dots, and nowhere inside of others', () => {
    const redact = { names: ['token'] };
    expect(logged(redact, '{Token} {pageToken}', 'a', 'b')).toMatchObject({
      Token: '[Redacted]',
      pageToken: 'b',
      message: '[Redacted] b',
    });
    expect(logged(redact, '{req.token}', 'a')['req.token']).toBe('[Redacted]');
  });

  it('hides names and paths with what censor and remove say', () => {
    const value = { a: 1, b: 2, c: 3 };
    expect(logged({ names: ['A'], paths: ['*.b'], remove: true }, '{V}', value)['V']).toEqual({
      c: 3,
    });
    expect(logged({ names: ['A'], censor: '***' }, '{V}', value)['V']).toMatchObject({ a: '***' });
  });

  describe('with connectionStrings', () => {
    const redact = { connectionStrings: true };
    const url = 'postgres://shop:hunter2@db.test/orders';
    const hidden = 'postgres://shop:[Redacted]@db.test/orders';

    it('hides them in fields, at any depth, and in the message', () => {
      expect(logged(redact, 'at {Url} {Config}', url, { db: [url] })).toEqual({
        Url: hidden,
        Config: { db: [hidden] },
        message: `at ${hidden} {"db":["${hidden}"]}`,
      });
    });

    it('hides them in a template that was put together, in a plain text and in what pino logs', () => {
      const sink = collectingSink();
      const log = createLogger({ sinks: [sink], redact });
      log.information(`connecting to ${url} as {User}`, 'ada');
      log.write({ level: 30, text: `connecting to ${url}` });
      log.pino.info(`connecting to ${url}`);
      expect(sink.messages).toEqual([
        `connecting to ${hidden} as ada`,
        `connecting to ${hidden}`,
        `connecting to ${hidden}`,
      ]);
      expect(JSON.stringify([...sink])).not.toContain('hunter2');
      expect(sink.first()).toMatchObject({ User: 'ada' });
    });

    it('hides them in errors, their causes and stacks', () => {
      const sink = collectingSink();
      const log = createLogger({ sinks: [sink], redact, stackTrace: true });
      const cause = new Error(`no route to ${url}`);
      log.error(new Error('not connected', { cause }), 'failed: {Cause}', cause);
      expect(sink.only()).toMatchObject({
        error: `not connected: no route to ${hidden}`,
        stack: expect.stringContaining(`Caused by: Error: no route to ${hidden}`),
      });
      expect(JSON.stringify(sink.only())).not.toContain('hunter2');
    });

    it('leaves the holes of a template to their fields', () => {
      const shown = logged(
        { ...redact, names: ['password'] },
        'postgres://{User}:{Password}@db Pwd={Pwd}',
        'u',
        'p',
        'q',
      );
      expect(shown).toEqual({
        User: 'u',
        Password: '[Redacted]',
        Pwd: 'q',
        message: 'postgres://u:[Redacted]@db Pwd=q',
      });
    });
  });
});

describe('SAFE_REDACTION', () => {
  it('hides what hardly anybody wants in a log, and can be added to', () => {
    const redact = { ...SAFE_REDACTION, paths: ['Request.body.email'] };
    const request = {
      headers: { Authorization: 'Bearer x', Cookie: 'sid=1', accept: '*/*' },
      body: { email: 'a@b.test', newPassword: 'x', pageToken: 'y', card: { cvv: 1 } },
      url: 'amqp://u:p@mq',
    };
    expect(logged(redact, '{Request}', request)['Request']).toEqual({
      headers: { Authorization: '[Redacted]', Cookie: '[Redacted]', accept: '*/*' },
      body: {
        email: '[Redacted]',
        newPassword: '[Redacted]',
        pageToken: 'y',
        card: { cvv: '[Redacted]' },
      },
      url: 'amqp://u:[Redacted]@mq',
    });
  });

  it('knows what secrets are called, and nothing that merely sounds like one', () => {
    const names =
      'authorization proxy-authorization cookie set-cookie x-api-key x-auth-token password passwd pwd ' +
      'passphrase passcode newPassword oldPassword secret clientSecret secretKey secretAccessKey ' +
      'privateKey signingKey token accessToken refreshToken idToken sessionToken csrfToken jwt apiKey ' +
      'accessKey accountKey sharedAccessKey credentials otp pin cardNumber creditCard cvv cvc iban ssn';
    const shown = ['id', 'key', 'pageToken', 'pins', 'card', 'author', 'cookies', 'mutant', ''];
    const given = Object.fromEntries([...names.split(' '), ...shown].map((name) => [name, 'x']));
    const told = Object.entries(logged(SAFE_REDACTION, '{Given}', given)['Given'] as object);
    const secret = told.filter(([, value]) => value === '[Redacted]').map(([name]) => name);
    expect(secret).toEqual(names.split(' '));
    expect(told.filter(([, value]) => value === 'x').map(([name]) => name)).toEqual(shown);
  });
});
