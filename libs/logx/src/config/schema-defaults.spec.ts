import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@apix/contracts';
import { describe, expect, it } from '@jest/globals';
import { createLogger } from '../logger/create-logger.js';
import { collectingSink } from '../testing/collecting-sink.js';
import { planRotation } from '../sinks/rotation.js';
import { configSchema } from './config-schema.js';
import { configOf } from './load-config.js';

type Properties = Readonly<Record<string, { readonly default?: unknown }>>;

interface FileEntry {
  readonly properties: Properties & { readonly rotation?: { readonly properties: Properties } };
}

/** What an editor shows as defaults. */
function defaultsIn(properties: Properties): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, { default: value }]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}

/** The lines of some events, by a logger of a document. */
function linesOf(document: object, format: 'json' | 'ecs'): readonly string[] {
  const logged = Object.assign(collectingSink(), { format });
  const options = configOf(document).options();
  const clock = { ...systemClock, now: () => 1_700_000_000_000 };
  const logger = createLogger({ ...options, clock, sinks: [logged] });
  logger.debug('not shown');
  logger.information('{http} said {Words}', 'ada', 'hello');
  logger.error(new Error('broken'), 'it broke');
  return logged.lines;
}

describe('the defaults that the JSON Schema shows are the real ones', () => {
  const { properties, $defs } = configSchema as unknown as {
    readonly properties: Properties & { readonly ecs: { readonly properties: Properties } };
    readonly $defs: { readonly sink: { readonly oneOf: readonly FileEntry[] } };
  };

  it('of the document', () => {
    const defaults = defaultsIn(properties);
    expect(Object.keys(defaults)).toEqual(expect.arrayContaining(['level', 'render', 'caller']));
    expect(linesOf(defaults, 'json')).toEqual(linesOf({}, 'json'));
  });

  it('of ecs', () => {
    const defaults = defaultsIn(properties.ecs.properties);
    expect(Object.keys(defaults)).toEqual(['requests', 'keepObjects']);
    expect(linesOf({ ecs: defaults }, 'ecs')).toEqual(linesOf({}, 'ecs'));
  });

  it('of sinks, which then lose nothing that is logged in one turn', async () => {
    const file = $defs.sink.oneOf.find((entry) => entry.properties.rotation)!;
    const defaults = defaultsIn(file.properties);
    expect(Object.keys(defaults)).toEqual(expect.arrayContaining(['noColor', 'async']));
    const directory = mkdtempSync(join(tmpdir(), 'logx-defaults-'));
    const path = join(directory, 'app.json');
    const logger = configOf({ sinks: [{ type: 'file', path, ...defaults }] }).build();
    for (let i = 0; i < 3_000; i++) logger.information('event {I}', i);
    await logger.close();
    const lines = readFileSync(path, 'utf8').split('\n');
    rmSync(directory, { recursive: true });
    expect(lines).toHaveLength(3_001);
  });

  it('of rotations', () => {
    const rotation = $defs.sink.oneOf.map((entry) => entry.properties.rotation).find(Boolean);
    const defaults = defaultsIn(rotation!.properties);
    expect(Object.keys(defaults)).toEqual(expect.arrayContaining(['maxSizeMB', 'every']));
    expect(planRotation(defaults)).toEqual(planRotation({}));
  });
});
