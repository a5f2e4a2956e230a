import { FLAG, type OptionTable } from '@apix/contracts/internal';

/** The additions of the `ecs` format to the renaming of the logger's own fields. */
export interface EcsOptions {
  /**
   * Request events also get the fields that ECS has for them: `http.request.method`,
   * `http.response.status_code`, `http.response.body.bytes`, `url.path` and, in nanoseconds,
   * `event.duration`; events of gRPC calls get only the last. Default: false.
   */
  readonly requests?: boolean | undefined;
  /**
   * A value that is not an object gets an underscore after its name if ECS has an object of that name, also
   * where it is an argument of a template: `url` becomes `url_`, and `url_` becomes `url__`. Otherwise, an
   * index with ECS templates rejects the whole event. Default: false.
   */
  readonly keepObjects?: boolean | undefined;
}

/** The same with every default. */
export interface EcsSettings {
  readonly requests: boolean;
  readonly keepObjects: boolean;
}

/** The allowed values of each option of the `ecs` format. */
export const ECS_OPTIONS = {
  requests: FLAG,
  keepObjects: FLAG,
} satisfies OptionTable<EcsOptions>;

/** The options that were read, with the defaults. */
export function ecsSettings({
  requests = false,
  keepObjects = false,
}: EcsOptions = {}): EcsSettings {
  return { requests, keepObjects };
}
