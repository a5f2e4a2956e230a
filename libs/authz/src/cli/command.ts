import { type ParseArgsConfig, parseArgs } from 'node:util';
import { shownValue } from '@apix/contracts';
import { ProtoRegistry } from '@apix/proto/core';
import type { ConditionLanguage } from '../conditions/condition-language.js';
import { Authorizer } from '../decide/authorizer.js';

/** What commands need to read policies. */
export interface CommandAids {
  /** Evaluates conditions. Undefined: policies with conditions are a mistake. */
  readonly conditions?: ConditionLanguage | undefined;
}

/** The input and output of a command; a test passes its own. */
export interface CommandIo extends CommandAids {
  read(file: string): string;
  print(text: string): void;
  complain(text: string): void;
}

/** The output of a command and its exit code. */
export interface CommandOutcome {
  readonly text: string;
  readonly code: 0 | 1;
}

/** The command was called wrongly. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

type Options = NonNullable<ParseArgsConfig['options']>;

const SHARED = {
  unannotated: { type: 'string' },
  exempt: { type: 'string', multiple: true },
} as const satisfies Options;

type Arguments<T extends Options> = ReturnType<
  typeof parseArgs<{ allowPositionals: true; options: T & typeof SHARED }>
>;

/** Splits arguments into options, the command's own and those that all have, and the rest. */
export function argumentsOf<T extends Options>(args: readonly string[], options: T): Arguments<T> {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { ...options, ...SHARED },
  });
}

/** What an app with these descriptors would enforce; records are given, so that nothing has to load them. */
export function authorizerOf(
  sets: readonly string[],
  { conditions }: CommandAids,
  { unannotated = 'allow', exempt = [] }: { unannotated?: string; exempt?: readonly string[] },
): Authorizer {
  if (sets.length === 0) throw new UsageError('needs a descriptor set, such as gen/shop.binpb');
  if (unannotated !== 'allow' && unannotated !== 'deny') {
    throw new UsageError(`--unannotated: must be allow or deny, not ${shownValue(unannotated)}`);
  }
  const registry = ProtoRegistry.load(sets);
  const types = Array.from(registry.registry).filter((desc) => desc.kind === 'message');
  return new Authorizer(registry, {
    subject: () => null,
    unannotated,
    exempt,
    ...(conditions && { conditions }),
    loaders: Object.fromEntries(types.map(({ typeName }) => [typeName, () => null])),
  });
}

export const FORMATS = ['text', 'markdown', 'json'] as const;

/** One of a few words, or the first. */
export function oneOf<T extends string>(
  option: string,
  words: readonly [T, ...T[]],
  given: string | undefined,
): T {
  const word = words.find((candidate) => candidate === (given ?? words[0]));
  if (word === undefined)
    throw new UsageError(`${option}: must be one of ${words.join(', ')}, not ${shownValue(given)}`);
  return word;
}
