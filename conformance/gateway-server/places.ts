import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GardenSets, buildSets } from './garden-set.js';

/** Where things are, for the time of the test. */
export interface Places {
  /** Has the packed gateway in its node_modules. */
  readonly installed: string;
  /** Has a registry, and nothing else. */
  readonly empty: string;
  /** In which npm finds the packed packages. */
  readonly env: Readonly<Record<string, string>>;
  /** For files of the test. */
  readonly folder: string;
  readonly sets: GardenSets;
}

export function openPlaces(): Places {
  const folder = mkdtempSync(join(tmpdir(), 'apix-garden-'));
  const given = JSON.parse(process.env['GATEWAY_PLACES']!) as Places;
  return { ...given, folder, sets: buildSets(folder) };
}
