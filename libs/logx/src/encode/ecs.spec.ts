import { fakeClock } from '@apix/contracts/testing';
import { describe, expect, it } from '@jest/globals';
import { configOf } from '../config/load-config.js';
import { Level } from '../levels/level.js';
import { createLogger } from '../logger/create-logger.js';
import type { Logger } from '../logger/logger.js';
import type { LoggerOptions } from '../logger/logger-options.js';
import { customSink } from '../sinks/custom-sink.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

class PaymentError extends Error {}

type Log = (logger: Logger) => void;

function lineOf(log: Log, options: LoggerOptions = {}, format: 'ecs' | 'json' = 'ecs'): string {
  let text = '';
  const sinks = [customSink({ write: (line) => (text += line) }, { format })];
  log(createLogger({ clock: fakeClock(0), level: 'verbose', ...options, sinks }));
  return text;
}

function ecsOf(log: Log, options?: LoggerOptions): Record<string, unknown> {
  return JSON.parse(lineOf(log, options)) as Record<string, unknown>;
}

/** What is in the event beside what every event has. */
function fieldsOf(log: Log, options?: LoggerOptions): Record<string, unknown> {
  const event = ecsOf(log, options);
  const always = [
    '@timestamp',
    'log.level',
    'message',
    'ecs.version',
    'message_template.text',
    'error.message',
  ];
  return Object.fromEntries(Object.entries(event).filter(([name]) => !always.includes(name)));
}

const extras =
  (fields: object): Log =>
  (log) =>
    log.write({ level: Level.Information, text: 'x', fields: { ...fields } });
const context =
  (fields: object): Log =>
  (log) =>
    log.forContextValues({ ...fields }).info('x');

describe('context fields in the ecs format', () => {
  it.each<[string, Log, object]>([
    ['trace_id of a logger is trace.id', context({ trace_id: TRACE }), { 'trace.id': TRACE }],
    ['span_id of a logger is span.id', context({ span_id: SPAN }), { 'span.id': SPAN }],
    ['trace_id beside the arguments is trace.id', extras({ trace_id: 'a' }), { 'trace.id': 'a' }],
    [
      'user_agent beside the arguments is user_agent.original',
      extras({ user_agent: 'curl/8' }),
      { 'user_agent.original': 'curl/8' },
    ],
    [
      'an argument of the template passes unchanged',
      (log) => log.info('{trace_id} {span_id} {user_agent}', 't', 's', 'u'),
      { trace_id: 't', span_id: 's', user_agent: 'u' },
    ],
    [
      'an argument hides the field of the logger, as everywhere',
      (log) => log.forContext('trace_id', TRACE).info('{trace_id}', 't'),
      { trace_id: 't' },
    ],
    [
      'a hole without an argument does not',
      (log) => log.forContext('trace_id', TRACE).info('{trace_id}'),
      { 'trace.id': TRACE },
    ],
    ['what is no text keeps its name', context({ trace_id: 7 }), { trace_id: 7 }],
    [
      'an object keeps its name',
      context({ user_agent: { name: 'x' } }),
      { user_agent: { name: 'x' } },
    ],
    [
      'the later of two that become one wins',
      (log) => log.forContext('trace.id', 'a').forContext('trace_id', 'b').info('x'),
      { 'trace.id': 'b' },
    ],
  ])('%s', (_, log, fields) => {
    expect(fieldsOf(log)).toEqual(fields);
    const names = lineOf(log).match(/"trace\.id":/g) ?? [];
    expect(names.length).toBeLessThan(2);
  });

  it('are the same in json as before', () => {
    const line = lineOf(context({ trace_id: TRACE, user_agent: 'u' }), {}, 'json');
    expect(JSON.parse(line)).toMatchObject({ trace_id: TRACE, user_agent: 'u' });
  });
});

describe('error.type', () => {
  const noName = Object.assign(new Error('x'), { name: '' });
  const hostile = new Error('x');
  Object.defineProperty(hostile, 'name', {
    get: () => {
      throw new Error('no name for you');
    },
  });
  it.each<[string, unknown, string | undefined]>([
    ['is the class of an error', new TypeError('x'), 'TypeError'],
    ['is the class also where it leaves the name alone', new PaymentError('x'), 'PaymentError'],
    ['is Error of an Error', new Error('x'), 'Error'],
    ['is the name that an error gives itself', new DOMException('x', 'AbortError'), 'AbortError'],
    ['is the class where the name is empty', noName, 'Error'],
    ['is the class where the name cannot be read', hostile, 'Error'],
    ['is left out of what is no error', 'out of paper', undefined],
    ['is left out of a plain object', { message: 'x' }, undefined],
  ])('%s', (_, error, type) => {
    expect(ecsOf((log) => log.error(error, 'failed'))['error.type']).toBe(type);
  });

  it('is not in json', () => {
    expect(lineOf((log) => log.error(new TypeError('x'), 'failed'), {}, 'json')).not.toContain(
      'TypeError',
    );
  });

  it('cannot be spoofed', () => {
    const event = ecsOf((log) => log.forContext('error.type', 'mine').error(new Error('x'), 'y'));
    expect(event).toMatchObject({ 'error.type': 'Error', 'error.type_': 'mine' });
  });
});

describe('ecs.requests', () => {
  const request = (fields: object = {}): Log => {
    const all = { status: 404, bytes: 17, duration_ms: 1.2345678, ...fields };
    return (log) =>
      log.write({
        level: Level.Warning,
        kind: 'http',
        template: '{Method} {Path} -> {Status}',
        args: ['GET', '/orders/o-17', 404],
        fields: all,
      });
  };
  const OWN = {
    'http.request.method': 'GET',
    'http.response.status_code': 404,
    'http.response.body.bytes': 17,
    'url.path': '/orders/o-17',
    'event.duration': 1_234_568,
  };

  it('gives request events the fields of ECS in addition to their own', () => {
    expect(fieldsOf(request(), { ecs: { requests: true } })).toEqual({
      status: 404,
      bytes: 17,
      duration_ms: 1.2345678,
      Method: 'GET',
      Path: '/orders/o-17',
      Status: 404,
      ...OWN,
    });
  });

  it('goes by what the event is, not by its text', () => {
    const own: Log = (log) =>
      log.info({ bytes: 17 }, '{Method} {Path} -> {Status}', 'Metro', 'Line 4', 404);
    const isOfEcs = (name: string): boolean => name.includes('.');
    const options = { ecs: { requests: true } };
    expect(Object.keys(fieldsOf(own, options)).filter(isOfEcs)).toEqual([]);
    const worded: Log = (log) =>
      log.write({
        level: Level.Warning,
        kind: 'http',
        template: '{Status} for {Method} {Path}',
        args: [404, 'GET', '/orders/o-17'],
        fields: { bytes: 17, duration_ms: 1.2345678 },
      });
    expect(fieldsOf(worded, options)).toMatchObject(OWN);
  });

  it('gives the duration of gRPC calls', () => {
    const log: Log = (logger) =>
      logger.write({
        level: Level.Information,
        kind: 'grpc',
        template: 'gRPC {Method} -> {Code}',
        args: ['/shop.v1.Orders/Get', 'OK'],
        fields: { duration_ms: 2 },
      });
    const fields = fieldsOf(log, { ecs: { requests: true } });
    expect(Object.keys(fields).filter((name) => name.includes('.'))).toEqual(['event.duration']);
    expect(fields).toMatchObject({ 'event.duration': 2_000_000 });
  });

  it('wins over fields of the same names, and no key stands twice', () => {
    const log: Log = (logger) => request()(logger.forContextValues({ 'url.path': '/spoofed' }));
    expect(fieldsOf(log, { ecs: { requests: true } })).toMatchObject(OWN);
    expect(lineOf(log, { ecs: { requests: true } }).match(/"url\.path"/g)).toHaveLength(1);
  });

  it('leaves out what is not of the type that ECS has', () => {
    const log = request({ bytes: 'many', duration_ms: NaN });
    const { 'http.response.body.bytes': _, 'event.duration': __, ...rest } = OWN;
    const fields = fieldsOf(log, { ecs: { requests: true } });
    expect(fields).toMatchObject(rest);
    expect(Object.keys(fields)).not.toContain('http.response.body.bytes');
    expect(Object.keys(fields)).not.toContain('event.duration');
  });

  it('is off by default, and leaves other events alone', () => {
    expect(Object.keys(fieldsOf(request())).filter((name) => name.includes('.'))).toEqual([]);
    expect(fieldsOf((log) => log.info('{Path}', '/'), { ecs: { requests: true } })).toEqual({
      Path: '/',
    });
  });
});

describe('ecs.keepObjects', () => {
  const ecs = { keepObjects: true };
  it.each<[string, Log, object]>([
    ['moves a text', context({ url: 'http://x' }), { url_: 'http://x' }],
    ['moves a number beside the arguments', extras({ process: 7 }), { process_: 7 }],
    ['moves an argument of a template', (log) => log.info('{host}', 'a'), { host_: 'a' }],
    ['moves a list of texts', context({ user: ['a'] }), { user_: ['a'] }],
    [
      'moves an object inside of another',
      context({ 'http.request': 'x' }),
      { 'http.request_': 'x' },
    ],
    ['leaves an object', context({ url: { path: '/' } }), { url: { path: '/' } }],
    ['leaves a list of objects', context({ user: [{ id: 1 }] }), { user: [{ id: 1 }] }],
    ['leaves nothing', context({ user: null }), { user: null }],
    ['leaves a field of an object', context({ 'url.path': '/' }), { 'url.path': '/' }],
    ['leaves other names', context({ order: 'o-17' }), { order: 'o-17' }],
    ['keeps fields apart', context({ url: 'a', url_: 'b' }), { url_: 'a', url__: 'b' }],
    [
      'leaves the members that a text has',
      context({ service: 'shop' }),
      { 'service.name': 'shop' },
    ],
    ['moves what is no text there', context({ service: 7 }), { service_: 7 }],
    [
      'moves a template argument named user_agent',
      (log) => log.info('{user_agent}', 'u'),
      { user_agent_: 'u' },
    ],
  ])('%s', (_, log, fields) => {
    expect(fieldsOf(log, { ecs })).toEqual(fields);
  });

  it('is off by default', () => {
    expect(fieldsOf(context({ url: 'http://x', host_: 1 }))).toEqual({ url: 'http://x', host_: 1 });
  });
});

describe('the option ecs', () => {
  it.each<[unknown, string]>([
    [{ request: true }, 'logx: ecs.request: is not known here; did you mean requests?'],
    [{ requests: 'yes' }, 'logx: ecs.requests: must be true or false, not "yes"'],
    ['yes', 'logx: ecs: must be an object, not "yes"'],
  ])('is checked: %j', (ecs, message) => {
    expect(() => createLogger({ ecs: ecs as object, sinks: [] })).toThrow(message);
  });

  it('is a key of configuration documents', () => {
    const ecs = { requests: true, keepObjects: false };
    expect(configOf({ ecs }).options().ecs).toEqual(ecs);
    expect(() => configOf({ ecs: { wrong: true } as object })).toThrow(
      'ecs.wrong: is not known here; use one of requests, keepObjects',
    );
  });
});
