import { offerMessageRedaction } from '@apix/contracts/internal';
import { beforeAll, expect, it } from '@jest/globals';
import { consoleLogger, pinoLogger } from './adapters.js';

const login = (): object => ({ $typeName: 'test.Login', id: 1n, password: 'hunter2' });

beforeAll(() =>
  offerMessageRedaction((value) =>
    '$typeName' in value ? { ...value, password: '[REDACTED]' } : value,
  ),
);

it.each<[string, unknown[]]>([
  ['the value of a placeholder', [login()]],
  ['a member of one', [{ inner: [login()] }]],
  ['the fields after them', ['x', login()]],
  ['a member of those', ['x', { login: login() }]],
])('a message is logged without what is not shown: %s', (_, args) => {
  const said: unknown[] = [];
  const say = (...data: unknown[]): void => void said.push(data);
  const target = { info: say, warn: say, error: say };
  consoleLogger(target).information('from {Value}', ...args);
  pinoLogger(target).information('from {Value}', ...args);
  const text = JSON.stringify(said, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  expect(said).toHaveLength(2);
  expect(text).toContain('[REDACTED]');
  expect(text).not.toContain('hunter2');
});
