import { beforeEach, describe, expect, it } from '@jest/globals';
import type { LogEvent } from '../event/log-event.js';
import type { Sink } from '../sinks/sink.js';
import { type CollectingSink, collectingSink } from './collecting-sink.js';
import { throwingSink } from './throwing-sink.js';

const event = {} as LogEvent;

describe('collectingSink', () => {
  let logged: CollectingSink;
  let sink: Sink;
  const write = (level: string, template: string, fields: object): void => {
    const message = template.replace(/\{(\w+)\}/g, (_, name: string) =>
      String((fields as Record<string, unknown>)[name]),
    );
    sink.write!(`${JSON.stringify({ level, '@mt': template, message, ...fields })}\n`, event);
  };

  beforeEach(() => {
    logged = collectingSink();
    sink = logged.open({ onError: () => {} });
    write('info', 'Hello {Name}', { Name: 'Ada' });
    write('warn', 'Order {Id} is late', { Id: 7, Tags: ['a', 'b'] });
    write('warn', 'Order {Id} is late', { Id: 8 });
  });

  it('is a sink of the JSON format', () => {
    expect(logged).toMatchObject({ kind: 'collecting', format: 'json' });
  });

  it('answers by level, under any name of it', () => {
    expect(logged.at('warning').count).toBe(2);
    expect(logged.at('WARN').count).toBe(2);
    expect(logged.at('information').messages).toEqual(['Hello Ada']);
    expect(logged.at('fatal').count).toBe(0);
  });

  it('answers by template, message and fields, one after the other', () => {
    expect(logged.withTemplate('Order {Id} is late').with({ Id: 8 }).only().message).toBe(
      'Order 8 is late',
    );
    expect(logged.with({ Tags: ['a', 'b'] }).only()['Id']).toBe(7);
    expect(logged.with({ Tags: undefined, Id: 8 }).count).toBe(1);
    expect(logged.saying('late').saying(/^Order 7/).count).toBe(1);
  });

  it('gives the first, the last and each event', () => {
    expect(logged.first()!.message).toBe('Hello Ada');
    expect(logged.last()!['Id']).toBe(8);
    expect([...logged].map(({ level }) => level)).toEqual(['info', 'warn', 'warn']);
  });

  it('keeps the lines as they were encoded', () => {
    expect(logged.lines).toHaveLength(3);
    expect(logged.lines[0]).toBe(
      '{"level":"info","@mt":"Hello {Name}","message":"Hello Ada","Name":"Ada"}',
    );
  });

  it('shows what there is when the only event is not alone', () => {
    expect(() => logged.at('warn').only()).toThrow(
      'logx: expected one event, found 2\n  warn: Order 7 is late\n  warn: Order 8 is late',
    );
    expect(() => logged.at('error').only()).toThrow('logx: expected one event, found 0');
  });

  it('forgets on request', () => {
    logged.clear();
    expect([logged.count, logged.lines.length]).toEqual([0, 0]);
  });
});

describe('throwingSink', () => {
  it('throws at every line and counts them', () => {
    const spec = throwingSink(new Error('full'));
    const sink = spec.open({ onError: () => {} });
    expect(() => sink.write!('a\n', event)).toThrow('full');
    expect(() => sink.write!('b\n', event)).toThrow('full');
    expect(spec.attempts).toBe(2);
  });
});
