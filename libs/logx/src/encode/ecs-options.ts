import { type Mistakes, shownValue } from '@apix/contracts';

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

export const NO_ECS: EcsSettings = { requests: false, keepObjects: false };

/** Notes what is wrong with the option `ecs`. */
export function resolveEcs(options: EcsOptions | undefined, mistakes: Mistakes): EcsSettings {
  if (options === undefined) return NO_ECS;
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    mistakes.add('ecs', `must be an object, not ${shownValue(options)}`);
    return NO_ECS;
  }
  for (const name of Object.keys(options)) {
    if (name in NO_ECS) continue;
    const known = Object.keys(NO_ECS).join(', ');
    mistakes.add(`ecs.${name}`, `is not known here; use one of ${known}`);
  }
  return {
    requests: mistakes.flag('ecs.requests', options.requests ?? false),
    keepObjects: mistakes.flag('ecs.keepObjects', options.keepObjects ?? false),
  };
}
