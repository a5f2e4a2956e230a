import { parseArgs } from 'node:util';
import { type Mistakes } from '@apix/contracts';
import { nearestName } from '@apix/contracts/internal';
import type { GatewaySetting } from './setting.js';
import { type Given, type GivenSettings, SETTINGS, type SettingName } from './setting-table.js';

/** The content of a command line: settings, and everything else. */
export interface CommandLine {
  readonly given: GivenSettings;
  /** Path of a configuration file. */
  readonly config: string | undefined;
  readonly check: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

const ASIDE = {
  config: { type: 'string', short: 'c' },
  check: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

const OPTIONS: Readonly<Record<string, { readonly type: 'boolean' | 'string' }>> = {
  ...Object.fromEntries(
    Object.entries(SETTINGS).map(([name, { kind }]) => [
      name,
      { type: kind === 'flag' ? ('boolean' as const) : ('string' as const), multiple: true },
    ]),
  ),
  ...ASIDE,
};

/** Reads a command line, and notes its mistakes. */
export function readArguments(args: readonly string[], mistakes: Mistakes): CommandLine {
  const { tokens } = parseArgs({
    args: args.map((arg, index) => withPath(arg, args[index + 1])),
    options: OPTIONS,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = new Map<SettingName, Given>();
  const aside = new Map<string, string | true>();
  for (const token of tokens) {
    if (token.kind === 'positional') {
      mistakes.add('', `${JSON.stringify(token.value)} is not an option: options start with --`);
    }
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    if (!Object.hasOwn(OPTIONS, name)) {
      mistakes.add('', unknownOption(rawName));
    } else if (OPTIONS[name]?.type === 'string' && !isValue(value)) {
      mistakes.add(rawName, 'needs a value');
    } else if (OPTIONS[name]?.type === 'boolean' && value !== undefined) {
      mistakes.add(rawName, 'takes no value');
    } else if (Object.hasOwn(ASIDE, name)) aside.set(name, value ?? true);
    else note(given, name as SettingName, value ?? true, rawName, mistakes);
  }
  const config = aside.get('config');
  return {
    given,
    config: typeof config === 'string' ? config : undefined,
    check: aside.has('check'),
    help: aside.has('help'),
    version: aside.has('version'),
  };
}

/** The path that an option has where none is given: `--mcp --http2`. */
function withPath(arg: string, next: string | undefined): string {
  const setting: GatewaySetting | undefined = SETTINGS[arg.replace(/^--/, '') as SettingName];
  if (!arg.startsWith('--') || setting?.kind !== 'path' || next?.startsWith('/') === true)
    return arg;
  return `${arg}=${setting.standard}`;
}

function isValue(value: string | undefined): boolean {
  // In `--backend --check` the value of the first option is missing.
  return value !== undefined && !/^--[a-z]/.test(value);
}

function note(
  given: Map<SettingName, Given>,
  name: SettingName,
  value: string | true,
  place: string,
  mistakes: Mistakes,
): void {
  const before = given.get(name)?.value;
  const { kind } = SETTINGS[name];
  if (kind === 'texts' || kind === 'choices') {
    given.set(name, { value: [...((before as string[] | undefined) ?? []), value], place });
  } else {
    if (before !== undefined && before !== value) mistakes.add(place, 'is given twice');
    given.set(name, { value, place });
  }
}

function unknownOption(rawName: string): string {
  const near = nearestName(rawName.replace(/^-+/, ''), Object.keys(OPTIONS));
  const hint = near === undefined ? 'see --help' : `did you mean --${near}?`;
  return `${rawName} is not an option: ${hint}`;
}
