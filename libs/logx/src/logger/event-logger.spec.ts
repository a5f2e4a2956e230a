import { describe, expect, it } from '@jest/globals';
import { KnownFields } from '../event/known-fields.js';
import { LEVELS, Level } from '../levels/level.js';
import { parseTemplate } from '../template/parse-template.js';
import { collectingSink } from '../testing/collecting-sink.js';
import { createLogger } from './create-logger.js';
import type { EventLogger, OwnEvent } from './event-logger.js';

const METHODS = [
  ['verbose', Level.Verbose],
  ['debug', Level.Debug],
  ['information', Level.Information],
  ['info', Level.Information],
  ['log', Level.Information],
  ['warning', Level.Warning],
  ['warn', Level.Warning],
  ['error', Level.Error],
] as const;

describe.each(METHODS)('the method %s', (method, level) => {
  it('writes at its level and below it, and above it nothing', () => {
    const written = LEVELS.map((minimum) => {
      const sink = collectingSink();
      const logger = createLogger({ level: minimum, sinks: [sink] });
      logger[method]('a text of {Level}', minimum);
      logger[method]({ minimum }, 'an object first');
      return sink.lines.length;
    });
    expect(written).toEqual(LEVELS.map((minimum) => (minimum <= level ? 2 : 0)));
  });
});

function ownEvent(level: Level): OwnEvent {
  const template = parseTemplate('{Method}');
  const known = new KnownFields(
    { kind: 'http', template, holes: ['string'], fields: [['status', 'count']] },
    [500],
  );
  return { level, known, args: ['GET'], others: undefined, error: undefined, withStack: false };
}

describe('the only event of a child', () => {
  it.each([
    ['a usual field', 'RequestId', 'abc'],
    ['a field with the name of a part of the line', 'level', 'abc'],
    ['a text above the limit', 'RequestId', 'x'.repeat(50)],
    ['a secret', 'token', 'abc'],
  ])('is what the child would write: %s', (_what, name, value) => {
    const written = [false, true].map((isAlone) => {
      const sink = collectingSink();
      const logger = createLogger({
        sinks: [sink],
        caller: true,
        limits: { text: 20 },
        redact: { names: ['token'] },
        clock: { now: () => 0, after: () => () => {} },
      });
      const level = Level.Warning;
      const event = { kind: 'http', template: '{Method}', fields: { status: 500 } } as const;
      if (isAlone)
        (logger as EventLogger).writeOwn(ownEvent(level), { names: [name], values: [value] });
      else logger.forContext(name, value).write({ ...event, level, args: ['GET'] });
      return sink.lines.map((line) => line.replace(/(spec\.ts):\d+/, '$1'));
    });
    expect(written[1]).toEqual(written[0]);
    expect(written[1]).toHaveLength(1);
  });

  it('is not written below the level of the logger', () => {
    const sink = collectingSink();
    const logger = createLogger({ sinks: [sink], level: 'error' }) as EventLogger;
    logger.writeOwn(ownEvent(Level.Warning), { names: ['RequestId'], values: ['abc'] });
    expect(sink.lines).toEqual([]);
  });
});
