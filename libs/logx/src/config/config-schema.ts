import { type AnyTable, schemasOf } from '@apix/contracts/internal';
import { ECS_OPTIONS } from '../encode/ecs-options.js';
import { anyCase } from '../levels/level-option.js';
import { DOCUMENT_OPTIONS } from '../logger/option-tables.js';
import { ROTATION_OPTIONS } from '../sinks/rotation.js';
import { BUILT_IN_OPTIONS, ENTRY_OPTIONS, TYPE_OPTIONS } from './sink-entry.js';

type Notes = Readonly<
  Record<string, { readonly description?: string; readonly default?: unknown }>
>;

/** The schemas of a table, each with the description that editors show. */
function noted(table: AnyTable, notes: Notes): object {
  return Object.fromEntries(
    Object.entries(schemasOf(table)).map(([name, schema]) => [name, { ...schema, ...notes[name] }]),
  );
}

const settings = noted(DOCUMENT_OPTIONS, {
  level: { description: 'Minimum level.', default: 'information' },
  levels: { description: 'Minimum levels by the names of loggers.' },
  render: { description: 'Writes the rendered message.', default: true },
  caller: { description: 'Writes file:line of the caller.', default: false },
  timestamp: { description: 'Writes the time.', default: true },
  stackTrace: { description: 'Writes the stack of errors.', default: false },
  timeFormat: { description: 'How times are written.' },
  enrich: { description: 'Fields of every event that describe the process.' },
  redact: { description: 'What is hidden: paths, or an object.' },
  sampling: { description: 'Flood control.' },
  limits: { description: 'How much of a value is logged.' },
  bufferOnFailure: {
    description: 'Keeps events below the level, and writes them if their work fails.',
    default: false,
  },
});

const ecs = {
  type: 'object',
  description: 'What the ecs format adds.',
  additionalProperties: false,
  properties: noted(ECS_OPTIONS, {
    requests: { description: 'http.*, url.path, event.duration.', default: false },
    keepObjects: { description: 'Moves texts from objects of ECS.', default: false },
  }),
};

const entry = noted(ENTRY_OPTIONS, {
  level: { description: 'Minimum level.' },
  minLevel: { description: 'The same as level.' },
  maxLevel: { description: 'Maximum level; events above are left to other sinks.' },
  format: {
    description:
      'auto: console in a terminal, else json. Default: console for a console, else json.',
  },
  layout: { description: 'Layout of lines in the console format.' },
  noColor: { description: 'Turns colours off.', default: false },
});

const async = {
  description: 'Background writes: true, or how many lines wait at most; 0 or less: 1024.',
  default: false,
};

const lines = {
  async,
  gather: { description: 'Milliseconds for which lines are gathered.', default: 0 },
};

const rotation = {
  type: 'object',
  additionalProperties: false,
  properties: noted(ROTATION_OPTIONS, {
    maxSizeMB: { description: 'Mebibytes of a file. 0: 100.', default: 100 },
    maxBackups: { description: 'Old files that are kept. 0: all.', default: 0 },
    maxAgeDays: { description: 'Days that they are kept. 0: for ever.', default: 0 },
    compress: { description: 'Compresses old files with gzip.', default: false },
    localTime: { description: 'Local time instead of UTC.', default: false },
    every: { description: 'A new file by time.', default: 'none' },
  }),
};

function sink(type: object, properties: object, required: readonly string[] = []) {
  return {
    type: 'object',
    properties: { type, ...entry, ...properties },
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
    ...settings,
    ecs,
    sinks: { type: 'array', items: { $ref: '#/$defs/sink' } },
  },
  $defs: {
    sink: {
      oneOf: [
        sink(anyCase('console'), noted(BUILT_IN_OPTIONS.console, lines)),
        sink(anyCase('stdout', 'stderr'), noted(BUILT_IN_OPTIONS.stdout, lines)),
        sink(anyCase('file'), { ...noted(BUILT_IN_OPTIONS.file, lines), rotation }, ['path']),
        sink(
          { type: 'string', not: anyCase('console', 'stdout', 'stderr', 'file') },
          noted(TYPE_OPTIONS, { options: { description: 'Whatever the registered type takes.' } }),
        ),
      ],
    },
  },
};
