import type { Duration } from '@apix/contracts';

/** Headings of the help text, in its order. */
export type SettingGroup =
  | 'What is served'
  | 'The gRPC server'
  | 'Callers'
  | 'Requests'
  | 'Tools for agents (MCP)'
  | 'Pages'
  | 'The process';

interface SettingText {
  readonly group: SettingGroup;
  /** What it is for, and its default, in one sentence. */
  readonly help: string;
}

/** A setting whose value has a placeholder in the help text, such as `<file>`. */
interface Valued extends SettingText {
  readonly value: string;
}

/** One option: it has the same name on the command line, after `--`, and in a configuration file. */
export type GatewaySetting =
  | (Valued & { readonly kind: 'text' | 'duration' })
  | (Valued & { readonly kind: 'texts' })
  | (Valued & {
      readonly kind: 'path';
      /** The value of an option without one, and of `true` in a file. */
      readonly standard: `/${string}`;
    })
  | (Valued & { readonly kind: 'count'; readonly min: number })
  | (Valued & {
      /** `choices`: any number of them. */
      readonly kind: 'choice' | 'choices';
      readonly choices: readonly [string, ...string[]];
    })
  | (SettingText & { readonly kind: 'flag' });

/** The type of a setting's value. */
export type SettingValue<S extends GatewaySetting> = S extends { kind: 'text' | 'path' }
  ? string | undefined
  : S extends { kind: 'texts' }
    ? readonly string[]
    : S extends { kind: 'count' }
      ? number | undefined
      : S extends { kind: 'choice'; choices: readonly (infer C)[] }
        ? C | undefined
        : S extends { kind: 'choices'; choices: readonly (infer C)[] }
          ? readonly C[]
          : S extends { kind: 'flag' }
            ? boolean
            : Duration | undefined;
