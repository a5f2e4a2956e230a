import { offerMessageRedaction } from '@apix/contracts/internal';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '../logger/create-logger.js';
import type { Logger } from '../logger/logger.js';
import { customSink } from '../sinks/custom-sink.js';
import { collectingSink } from '../testing/collecting-sink.js';
import type { LogEvent } from '../event/log-event.js';

const SECRET = 'hunter2';
const login = () => ({ $typeName: 'test.Login', user: 'ada', password: SECRET });

/** As @apix/proto offers it for a message type with `debug_redact`. */
function redactLogin(value: object): object {
  const { $typeName } = value as { $typeName?: unknown };
  if ($typeName !== 'test.Login') return value;
  const hidden = '[REDACTED]';
  return { ...value, password: hidden, ...('message' in value && { message: hidden }) };
}

beforeAll(() => offerMessageRedaction(redactLogin));

class Refusal extends Error {
  readonly login = login();
  readonly details = [login()];
}

const CALLS: readonly [string, (log: Logger) => void][] = [
  ['the value of a hole', (log) => log.information('{Login}', login())],
  ['the value of a hole with a capture', (log) => log.information('{@Login} {$Text}', login(), 1)],
  ['two of the same shape', (log) => log.information('{A} {B}', login(), login())],
  ['an item of a list', (log) => log.information('{Logins}', [[login()]])],
  ['a value of a Map', (log) => log.information('{Logins}', new Map([['a', login()]]))],
  ['an item of a Set', (log) => log.information('{Logins}', new Set([login()]))],
  ['a member', (log) => log.information('{Request}', { body: { login: login() } })],
  ['the result of toJSON', (log) => log.information('{Login}', { toJSON: login })],
  ['an argument that no hole takes', (log) => log.information('x', 1, login(), 2)],
  ['the fields after the template', (log) => log.information('x', login())],
  ['the fields before the template', (log) => log.information(login(), 'x')],
  ['the fields alone', (log) => log.information(login())],
  ['the fields before the template of an error', (log) => log.error(login(), 'x')],
  ['the fields with an error', (log) => log.error({ ...login(), err: new Error('no') }, 'x')],
  ['what is taken for an error', (log) => log.error({ ...login(), message: SECRET })],
  ['a member of an error', (log) => log.information('{Error}', new Refusal('no'))],
  ['a value of a logger', (log) => log.forContext('Login', login()).information('x')],
  ['the values of a logger', (log) => log.forContextValues(login()).information('x')],
  ['what pino logs', (log) => log.pino.info(login(), 'x')],
  ['what pino logs in a member', (log) => log.pino.info({ login: login() }, 'x')],
  ['what pino logs after a text', (log) => log.pino.info('x', login() as never)],
  ['a child of pino', (log) => log.pino.child(login()).info('x')],
  ['a member of a child of pino', (log) => log.pino.child({ login: login() }).info('x')],
];

describe('a message with a field that is not shown', () => {
  it.each(CALLS)('is logged without its value in every format: %s', (_, call) => {
    const lines: string[] = [];
    const events: LogEvent[] = [];
    const logged = collectingSink();
    const sinks = (['json', 'console', 'ecs', 'otel'] as const).map((format) =>
      customSink({ write: (line) => void lines.push(line) }, { format }),
    );
    const raw = customSink({ emit: (event) => void events.push(event) });
    call(createLogger({ sinks: [...sinks, raw, logged] }));
    expect(lines.length).toBe(4);
    const seen = [...lines, logged.lines[0]!, ...events.flatMap((event) => [...event.fields])];
    expect(JSON.stringify(seen)).not.toContain(SECRET);
  });

  it('keeps its other fields, and its shape', () => {
    const logged = collectingSink();
    createLogger({ sinks: [logged] }).information('{Login}', login());
    expect(logged.only()['Login']).toEqual({ ...login(), password: '[REDACTED]' });
  });

  it('is not shown when the redaction throws', () => {
    const logged = collectingSink();
    offerMessageRedaction((value) => {
      if ('bad' in value) throw new Error('no');
      return value;
    });
    const log = createLogger({ sinks: [logged] });
    log.information('{Login}', { bad: SECRET });
    log.information({ bad: SECRET }, 'x');
    expect(logged.lines.join()).not.toContain(SECRET);
    expect(logged.lines[0]).toContain('[Unreadable: no]');
  });
});
