import { FLAG } from '../options/option.js';
import type { OptionTable } from '../options/option-table.js';

/** What the `ecs` format does beside the renaming of the logger's own fields. */
export interface EcsOptions {
  /**
   * Request events also get the fields that ECS has for them: `http.request.method`,
   * `http.response.status_code`, `http.response.body.bytes`, `url.path` and, in nanoseconds,
   * `event.duration`; those of gRPC calls the last alone. Default: false.
   */
  readonly requests?: boolean | undefined;
  /**
   * A value that is no object, under a name that ECS has an object for, gets an underscore behind
   * its name, also where it is an argument of a template: `url` becomes `url_`, and `url_` becomes
   * `url__`. An index with ECS templates refuses the whole event otherwise. Default: false.
   */
  readonly keepObjects?: boolean | undefined;
}

/** The same with every default. */
export interface EcsSettings {
  readonly requests: boolean;
  readonly keepObjects: boolean;
}

/** What each option of the `ecs` format may be. */
export const ECS_OPTIONS = {
  requests: FLAG,
  keepObjects: FLAG,
} satisfies OptionTable<EcsOptions>;

/** What was read, with the defaults. */
export function ecsSettings({
  requests = false,
  keepObjects = false,
}: EcsOptions = {}): EcsSettings {
  return { requests, keepObjects };
}
