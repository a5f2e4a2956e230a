import fs from 'node:fs';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { ownProcessMark } from '@apix/contracts';
import { environmentName, arrayOf, choice, isRecord, type Option } from '@apix/contracts/internal';
import { membersOf } from '../value/members-of.js';
import { safely } from '../value/safely.js';

/** Fields of every event that describe the process. */
export const ENRICHERS = ['host', 'pid', 'version', 'environment'] as const;

export type Enricher = (typeof ENRICHERS)[number];

export const ENRICH: Option<readonly Enricher[]> = arrayOf(choice(ENRICHERS), 'a list of fields');

/** Their names, which are those of OpenTelemetry; ECS has the same, except for the environment. */
const FIELD_NAMES = {
  host: 'host.name',
  pid: 'process.pid',
  version: 'service.version',
  environment: 'deployment.environment.name',
} as const satisfies Record<Enricher, string>;

type Env = Readonly<Record<string, string | undefined>>;

const VALUES: Readonly<Record<Enricher, (env: Env) => string | number | undefined>> = {
  host: (env) => resourceAttribute(env, 'host.name') ?? os.hostname(),
  pid: () => process.pid,
  version: (env) => resourceAttribute(env, 'service.version') ?? packageVersion(process.argv[1]),
  environment: (env) =>
    resourceAttribute(env, 'deployment.environment.name') ??
    resourceAttribute(env, 'deployment.environment') ??
    environmentName(env),
};

/** Of an app in several processes, which one has logged an event; a name of our own. */
const PROCESS_FIELD = 'process.index';

/**
 * The fields of every event: the process of several, those of the enrichers that are known, then those of the
 * options.
 */
export function fieldsWith(
  enrich: readonly Enricher[] | undefined,
  fields: Readonly<Record<string, unknown>> | undefined,
  env: Env = process.env,
): Readonly<Record<string, unknown>> | undefined {
  const mark = ownProcessMark();
  const own = mark === null ? [] : [[PROCESS_FIELD, mark.index] as const];
  if (own.length === 0 && (enrich === undefined || enrich.length === 0)) return fields;
  const known = ENRICHERS.filter((name) => enrich?.includes(name)).map((name) => {
    const value = safely<unknown, undefined>(
      () => VALUES[name](env),
      () => undefined,
    );
    return [FIELD_NAMES[name], value] as const;
  });
  return Object.fromEntries([...own, ...known, ...membersOf(fields ?? {})]);
}

/** One of OTEL_RESOURCE_ATTRIBUTES, `name=value,name=value` with values as in a URL. */
function resourceAttribute(env: Env, name: string): string | undefined {
  for (const pair of (env['OTEL_RESOURCE_ATTRIBUTES'] ?? '').split(',')) {
    const at = pair.indexOf('=');
    if (at >= 0 && pair.slice(0, at).trim() === name) {
      const text = pair.slice(at + 1).trim();
      return given(
        safely<string, string>(
          () => decodeURIComponent(text),
          () => text,
        ),
      );
    }
  }
  return undefined;
}

/** The version in the nearest package.json above the script that was started. */
function packageVersion(script: string | undefined): string | undefined {
  let folder = script === undefined ? process.cwd() : dirname(fs.realpathSync(script));
  for (;;) {
    const found = safely<unknown, undefined>(
      () => JSON.parse(fs.readFileSync(join(folder, 'package.json'), 'utf8')),
      () => undefined,
    );
    const version = isRecord(found) ? found['version'] : undefined;
    if (typeof version === 'string') return given(version);
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
}

function given(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === '' ? undefined : trimmed;
}
