import { describe, expect, it } from '@jest/globals';
import { hideInConnectionStrings } from './connection-strings.js';

const hide = (text: string): string => hideInConnectionStrings(text, '***');

describe('connection strings', () => {
  it.each([
    ['postgres://shop:secret@db:5432/orders', 'postgres://shop:***@db:5432/orders'],
    ['redis://:secret@cache', 'redis://:***@cache'],
    ['://shop:secret@db', '://shop:***@db'],
    ['mongodb+srv://u:p@a.test,b.test/x?y=z', 'mongodb+srv://u:***@a.test,b.test/x?y=z'],
    ['not escaped: amqp://u:p@ss/w?o#rd@mq/vhost!', 'not escaped: amqp://u:***@mq/vhost!'],
    ['"a://u:p@h" and a://u:q@h', '"a://u:***@h" and a://u:***@h'],
    ['brokers a://u:p@h1,b://u:q@h2', 'brokers a://u:***@h2'],
    ['jdbc:postgresql://u:1234@h', 'jdbc:postgresql://u:***@h'],
    ['http://host/see://u:p@h', 'http://host/see://u:***@h'],
    ['Server=db;User Id=sa;Password=se cret;', 'Server=db;User Id=sa;Password=*** cret;'],
    [`host=db password='se cret' user=u`, 'host=db password=*** user=u'],
    ['Endpoint=sb://x/;SharedAccessKey=abc=;E=1', 'Endpoint=sb://x/;SharedAccessKey=***;E=1'],
    ['https://h/cb?access_token=abc&x=1', 'https://h/cb?access_token=***&x=1'],
    ['jdbc:x://h/db?user=u&PASSWORD = abc', 'jdbc:x://h/db?user=u&PASSWORD = ***'],
  ])('%s is shown as %s', (text, shown) => {
    expect(hide(text)).toBe(shown);
  });

  it.each([
    'http://localhost:4873/@scope/pkg',
    'https://host:8080',
    'see https://host/a:b@c',
    'mail ada@shop.test: hello',
    'postgres://{User}:{Password}@db',
    'Password={Password}',
    'a = b',
    '://',
    'x://@',
  ])('%s stays', (text) => {
    expect(hide(text)).toBe(text);
  });

  it.each<[string, string]>([
    ['schemes', 'a://'.repeat(250_000)],
    ['users', 'a://u:'.repeat(150_000)],
    ['words', 'a://u:p '.repeat(120_000)],
    ['at signs', '://u:@'.repeat(150_000)],
    ['ports', 'x://h:80/'.repeat(110_000) + '@'],
    ['keys', 'password="'.repeat(100_000)],
    ['blanks', `password${' '.repeat(1_000_000)}=x`],
  ])('a megabyte of %s takes linear time', (_what, text) => {
    // Quadratic time is minutes.
    const started = performance.now();
    hide(text);
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});
