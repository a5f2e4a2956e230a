import { beforeAll, describe, expect, it } from '@jest/globals';
import { customSink } from '../sinks/custom-sink.js';
import type { SchemaIssue } from './decode-options.js';
import { loggingSchema } from './logging-schema.js';
import { registerSinkType } from './sink-types.js';

const opened: string[] = [];

beforeAll(() => {
  registerSinkType('parcel', (_settings, entry) => {
    entry.decodeOptions(
      (fields) => fields.text('address') ?? fields.mistake('address', 'is required'),
    );
    return customSink(() => {
      opened.push(entry.location);
      return { write: () => {} };
    });
  });
});

function issuesOf(value: unknown): readonly SchemaIssue[] {
  const result = loggingSchema['~standard'].validate(value);
  expect(result).not.toBeInstanceOf(Promise);
  return (result as { issues?: readonly SchemaIssue[] }).issues ?? [];
}

describe('the schema of a part of the configuration', () => {
  it.each<[unknown, object]>([
    [undefined, {}],
    [null, {}],
    [
      { level: 'Debug', sinks: [{ type: 'console', level: null }] },
      { level: 'Debug', sinks: [{ type: 'console', level: null }] },
    ],
    [{ level: null, sinks: null, probes: 'off' }, { probes: 'off' }],
  ])('makes %j options of a logger', (value, document) => {
    expect(loggingSchema['~standard'].validate(value)).toEqual({ value: document });
  });

  it.each<[unknown, unknown[]]>([
    [5, [{ message: 'must be an object, not 5' }]],
    [
      { level: 'loud', levl: 'info' },
      [
        { path: ['level'], message: expect.stringMatching(/^unknown level "loud"; use one of/) },
        { path: ['levl'], message: 'is not known here; did you mean level?' },
      ],
    ],
    [
      { sinks: [{ type: 'console' }, { type: 'file', path: 'a', rotation: { every: 'weekly' } }] },
      [
        {
          path: ['sinks', 1, 'rotation', 'every'],
          message: 'must be one of "none", "hourly", "daily", not "weekly"',
        },
      ],
    ],
    [{ sinks: [{}] }, [{ path: ['sinks', 0, 'type'], message: 'is required' }]],
    [
      { sinks: [{ type: 'parcel', options: {} }] },
      [{ path: ['sinks', 0, 'options', 'address'], message: 'is required' }],
    ],
    [
      { sinks: [{ type: 'pigeon' }] },
      [{ path: ['sinks', 0], message: expect.stringMatching(/^unknown sink type "pigeon"/) }],
    ],
  ])('says of %j what is wrong, and where', (value, issues) => {
    expect(issuesOf(value)).toEqual(issues);
  });

  it('opens no sink', () => {
    expect(issuesOf({ sinks: [{ type: 'parcel', options: { address: 'here' } }] })).toEqual([]);
    expect(opened).toEqual([]);
  });
});
