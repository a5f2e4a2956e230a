import type { EcsOptions } from '../encode/ecs-options.js';
import type { Fields } from './fields.js';

/** The key `ecs` of a configuration document. */
export function readEcs(fields: Fields | undefined): EcsOptions | undefined {
  if (fields === undefined) return undefined;
  const options = { requests: fields.flag('requests'), keepObjects: fields.flag('keepObjects') };
  fields.refuseOthers();
  return options;
}
