import { TIME_FORMATS } from '../encode/time-format.js';
import { ROTATION_INTERVALS } from '../sinks/rotation.js';
import { FORMATS } from '../sinks/sink.js';

const LEVEL_NAMES = 'verbose trace debug information info warning warn error fatal'.split(' ');

/** A text that is one of the names, in any case. */
function anyCase(...names: readonly string[]) {
  const letter = (char: string): string => `[${char.toUpperCase()}${char}]`;
  const patterns = names.map((name) => name.replaceAll(/[a-z]/g, letter));
  return { type: 'string', pattern: `^(?:${patterns.join('|')})$` };
}

const level = { ...anyCase(...LEVEL_NAMES), description: 'Minimum level.' };
const amount = { type: 'number', minimum: 0 };
const flag = { type: 'boolean' };

const rotation = {
  type: 'object',
  additionalProperties: false,
  properties: {
    maxSizeMB: { ...amount, description: 'Mebibytes of a file. 0: 100.', default: 100 },
    maxBackups: { ...amount, description: 'Old files that are kept. 0: all.', default: 0 },
    maxAgeDays: { ...amount, description: 'Days that they are kept. 0: for ever.', default: 0 },
    compress: { ...flag, description: 'Compresses old files with gzip.', default: false },
    localTime: { ...flag, description: 'Local time instead of UTC.', default: false },
    every: { enum: ROTATION_INTERVALS, description: 'A new file by time.', default: 'none' },
  },
};

const format = { enum: FORMATS, description: 'Default: console for a console, else json.' };
const noColor = { ...flag, description: 'Turns colours off.', default: false };
const async = {
  description: 'Background writes: true, or how many lines wait at most; 0 or less: 1024.',
  type: ['boolean', 'integer'],
  default: false,
};

function sink(type: object, properties: object, required: readonly string[] = []) {
  return {
    type: 'object',
    properties: { type, level, format, noColor, ...properties },
    required: ['type', ...required],
    additionalProperties: false,
  };
}

/** The JSON Schema (2020-12) of a configuration document. */
export const configSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Configuration of a logger of @apix/logx',
  type: 'object',
  additionalProperties: false,
  properties: {
    level: { ...level, default: 'information' },
    render: { ...flag, description: 'Writes the rendered message.', default: true },
    caller: { ...flag, description: 'Writes file:line of the caller.', default: false },
    timestamp: { ...flag, description: 'Writes the time.', default: true },
    stackTrace: { ...flag, description: 'Writes the stack of errors.', default: false },
    timeFormat: { enum: TIME_FORMATS, description: 'How times are written.' },
    ecs: {
      type: 'object',
      description: 'What the ecs format adds.',
      additionalProperties: false,
      properties: {
        requests: { ...flag, description: 'http.*, url.path, event.duration.', default: false },
        keepObjects: { ...flag, description: 'Moves texts from objects of ECS.', default: false },
      },
    },
    sinks: { type: 'array', items: { $ref: '#/$defs/sink' } },
  },
  $defs: {
    sink: {
      oneOf: [
        sink(anyCase('console'), { async, target: { enum: ['stdout', 'stderr'] } }),
        sink(anyCase('stdout', 'stderr'), { async }),
        sink(anyCase('file'), { async, path: { type: 'string' }, rotation }, ['path']),
        sink(
          { type: 'string', not: anyCase('console', 'stdout', 'stderr', 'file') },
          { options: { type: 'object', description: 'Whatever the registered type takes.' } },
        ),
      ],
    },
  },
};
